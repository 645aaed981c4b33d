/* See saves.h. Uses inotify(7), in which multiple files of a folder share a single watch. */
#include "watch/saves.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
    /* A file is complete when it is closed, renamed or linked, so single writes are ignored. */
    SAVED = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE,
    FOLDER_GONE = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED
};

static bool attach(struct saves *s, struct saved_file *f) {
    f->watch = inotify_add_watch(s->fd, f->folder, SAVED | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    return f->watch >= 0;
}
static void split(const char *path, struct saved_file *f) {
    const char *slash = strrchr(path, '/');
    snprintf(f->folder, sizeof f->folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (!f->folder[0]) strcpy(f->folder, "/");
    snprintf(f->name, sizeof f->name, "%s", slash ? slash + 1 : path);
}
static bool explain(const char *folder, char *message, size_t size) {
    const int why = errno;
    const bool limit = why == EMFILE || why == ENOSPC;
    snprintf(message, size, "cannot watch %s: %s%s", folder,
             limit ? "your processes watch too many folders" : strerror(why),
             limit ? ": stop some, or raise fs.inotify.max_user_watches and max_user_instances with sysctl" : "");
    return false;
}
bool saves_open(struct saves *s, const char *const *files, unsigned count, char *message, size_t size) {
    *s = (struct saves){.fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
    if (s->fd < 0) return explain("a folder", message, size);
    for (; s->count < count && s->count < SAVES_MAX; s->count++) {
        split(files[s->count], &s->file[s->count]);
        if (!attach(s, &s->file[s->count]) && !s->count) return explain(s->file[0].folder, message, size);
    }
    return true;
}
/* Handles the removal or renaming of the folder that `watch` refers to. */
static void lose(struct saves *s, int watch) {
    for (unsigned k = 0; k < s->count; k++)
        if (s->file[k].watch == watch) s->file[k].watch = -1;
    inotify_rm_watch(s->fd, watch);
}
static bool take(struct saves *s, const struct inotify_event *e) {
    bool ours = e->mask & IN_Q_OVERFLOW; /* events were lost: assume that a file was saved */
    for (unsigned k = 0; k < s->count; k++)
        if (s->file[k].watch == e->wd) ours |= e->mask & FOLDER_GONE || (e->len && !strcmp(s->file[k].name, e->name));
    if (e->mask & FOLDER_GONE) lose(s, e->wd);
    return ours;
}
bool saves_read(struct saves *s) {
    _Alignas(struct inotify_event) char buffer[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    bool ours = false;
    for (ssize_t n; (n = read(s->fd, buffer, sizeof buffer)) > 0;)
        for (const char *at = buffer; at < buffer + n;) {
            const struct inotify_event *e = (const void *)at;
            ours |= take(s, e);
            at += sizeof *e + e->len;
        }
    return ours;
}
bool saves_lost(const struct saves *s) {
    bool lost = false;
    for (unsigned k = 0; k < s->count; k++) lost |= s->file[k].watch < 0;
    return lost;
}
bool saves_again(struct saves *s) {
    bool found = false;
    for (unsigned k = 0; k < s->count; k++)
        if (s->file[k].watch < 0) found |= attach(s, &s->file[k]);
    return found;
}
void saves_close(struct saves *s) {
    if (s->fd >= 0) close(s->fd);
    s->fd = -1;
}
