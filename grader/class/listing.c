/* Lists the files in a folder of submissions and unpacks the archives among them. */
#include "base/array.h"
#include "base/file.h"
#include "class/class.h"
#include "record/status.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limits per top-level folder on candidate files and on other files. Without them, a student who submits a folder of a
 * million files would stop the import. The number of files outside these folders is not limited. */
enum { DEEPEST = 8, MAX_LIKELY = 1000, MAX_OTHER = 3 };
struct counts {
    unsigned likely, other, deep, hidden;
};

static const char MAC_FOLDER[] = "__MACOSX"; /* contains attributes of files, which macOS adds to archives */

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }
static FTS *open_tree(const char *folder, int how) {
    char *const roots[] = {(char *)folder, NULL};
    return fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | how, by_name);
}
static bool add(struct listing *l, const char *path, short kind) {
    char **paths = array_room(l->path, l->count + 1, &l->path_room, sizeof *paths);
    if (paths) l->path = paths;
    short *kinds = array_room(l->kind, l->count + 1, &l->kind_room, sizeof *kinds);
    if (kinds) l->kind = kinds;
    if (!paths || !kinds) return false;
    l->kind[l->count] = kind;
    return (l->path[l->count] = strdup(path)) && ++l->count;
}
static void explain(struct listing *l, const char *path, const char *format, const char *why) {
    char text[200];
    snprintf(text, sizeof text, format, why);
    json_object_set_new_nocheck(l->reasons, path, text_json(text));
}
bool listing_likely(const char *path) {
    static const char *const endings[] = {".cu", ".cu.txt", "predictions.txt"};
    const size_t n = strlen(path);
    for (unsigned k = 0; k < sizeof endings / sizeof *endings; k++)
        if (n >= strlen(endings[k]) && !strcasecmp(path + n - strlen(endings[k]), endings[k])) return true;
    return unpack_knows(path) > 0;
}
/* Returns whether the file is directly in a student's folder, under a name that students were asked to use. A folder
 * contains few such files. */
static bool is_asked_for(const char *path) {
    static const char *const names[] = {"reduce.cu", "lab[0-9].cu", "lab[0-9][0-9].cu", "predictions.txt"};
    const char *name = strchr(path, '/');
    for (unsigned k = 0; name && k < sizeof names / sizeof *names; k++)
        if (!fnmatch(names[k], name + 1, FNM_PATHNAME)) return true;
    return false;
}
/* Counts the file toward the limits and returns whether to list it. Reports the first file over the limit under the
 * name of its folder. */
static bool counts(struct listing *l, struct counts *of_top, const char *path) {
    char top[NAME_MAX + 2];
    if (!listing_likely(path)) return of_top->other++ < MAX_OTHER;
    if (is_asked_for(path) || of_top->likely++ < MAX_LIKELY) return true;
    snprintf(top, sizeof top, "%.*s/", (int)strcspn(path, "/"), path);
    if (of_top->likely == MAX_LIKELY + 1 && add(l, top, FTS_DNR))
        explain(l, top, "contains more than %s candidate files, and the remaining files were ignored", "1000");
    return false;
}
/* Lists a folder that cannot be read, with the reason, because the submission might be in that folder. The listed path
 * is `path` followed by "/". */
static bool add_closed(struct listing *l, const char *path, int why) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/", path);
    explain(l, folder, "cannot be read: %s", strerror(why));
    return add(l, folder, FTS_DNR);
}
/* Reports, once per student, files in folders that are nested too deeply. */
static bool add_deep(struct listing *l, const char *path) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/", path);
    explain(l, folder, "is nested in more than %s folders and was ignored", "7");
    return add(l, folder, FTS_DNR);
}
/* Lists a hidden file or folder of a student if a submission may be in it. */
static bool add_hidden(struct listing *l, const FTSENT *e, const char *path, struct counts *of_top) {
    const bool folder = e->fts_info == FTS_D && strcmp(e->fts_name, ".git") != 0;
    char shown[PATH_MAX];
    if (e->fts_level == 1 || (!folder && !listing_likely(path)) || of_top->hidden++ >= MAX_OTHER) return true;
    snprintf(shown, sizeof shown, "%s%s", path, folder ? "/" : "");
    return add(l, shown, LISTING_HIDDEN);
}
/* Lists the files in the folder. Returns nonzero after printing an error. */
static int list_files(const char *folder, struct listing *l) {
    FTS *tree = open_tree(folder, FTS_COMFOLLOW);
    struct counts of_top = {0};
    bool room = tree;
    int status = 0;
    const size_t skip = strlen(folder);
    for (FTSENT *e; room && !status && (e = fts_read(tree));) {
        const bool unread = e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS;
        if (e->fts_level == 0 && e->fts_info != FTS_D && e->fts_info != FTS_DP)
            status = status_saying(EXIT_USAGE, "class", "%s: %s", e->fts_path,
                                   unread ? strerror(e->fts_errno) : "neither a folder nor an archive");
        if (e->fts_level == 0 || e->fts_info == FTS_DP) continue;
        const char *path = e->fts_path + skip;
        while (*path == '/') path++;
        if (e->fts_level == 1) of_top = (struct counts){0};
        if (!strcmp(e->fts_name, MAC_FOLDER)) {
            fts_set(tree, e, FTS_SKIP);
            continue;
        }
        if (e->fts_name[0] == '.' || e->fts_level > DEEPEST) {
            fts_set(tree, e, FTS_SKIP);
            if (e->fts_level == 1 && e->fts_info == FTS_D && strcmp(e->fts_name, ".git"))
                loose_add(l->loose, LOOSE_HIDDEN, path);
            if (e->fts_name[0] == '.')
                room = add_hidden(l, e, path, &of_top);
            else if (!of_top.deep++)
                room = add_deep(l, path);
            continue;
        }
        if (unread)
            room = add_closed(l, path, e->fts_errno);
        else if (e->fts_level == 1 || (e->fts_info != FTS_D && counts(l, &of_top, path)))
            room = add(l, path, (short)e->fts_info);
        l->metadata |= !strcmp(path, LIST_OF_GRADESCOPE);
    }
    if (tree) fts_close(tree);
    return room ? status : status_saying(EXIT_SETUP, "class", "out of memory");
}

/* If `folder` contains one folder and nothing else, appends the inner folder's name to the path. Hidden files and those
 * that macOS adds to archives do not count. Unless `any` is set, the inner folder must be an export from Gradescope, or
 * be named like a folder of repositories (shape_repositories()). */
static void enter_only(char folder[PATH_MAX], bool any) {
    FTS *tree = open_tree(folder, FTS_COMFOLLOW);
    const FTSENT *only = NULL;
    unsigned count = 0;
    for (const FTSENT *e = tree && fts_read(tree) ? fts_children(tree, 0) : NULL; e; e = e->fts_link)
        if (e->fts_name[0] != '.' && strcmp(e->fts_name, MAC_FOLDER) != 0) only = e, count++;
    const size_t n = strlen(folder);
    if (count == 1 && only->fts_info == FTS_D) {
        char list[2 * PATH_MAX];
        snprintf(list, sizeof list, "%s/%s/" LIST_OF_GRADESCOPE, folder, only->fts_name);
        if (any || shape_repositories(only->fts_name) || !access(list, F_OK))
            snprintf(folder + n, PATH_MAX - n, "/%s", only->fts_name);
    }
    if (tree) fts_close(tree);
}
/* Unpacks o->from completely if it is an archive, which is how an LMS may export submissions. If the
 * archive contains a single folder and nothing else, that is the folder of submissions. */
static int open_export(struct listing *l, const struct class_options *o) {
    char archive[PATH_MAX], message[500];
    struct stat s;
    snprintf(l->root, sizeof l->root, "%s", o->from);
    if (stat(o->from, &s) || !S_ISREG(s.st_mode) || !unpack_knows(o->from) || !realpath(o->from, archive))
        return enter_only(l->root, false), 0;
    snprintf(l->root, sizeof l->root, "%s/export", l->out);
    file_remove_folder(l->root);
    const struct unpack u = {.archive = archive, .folder = l->root, .all = true, .trusted = o->trusted};
    if (!unpack(&u, message, sizeof message)) return status_saying(EXIT_USAGE, "class", "%s: %s", o->from, message);
    enter_only(l->root, true);
    return 0;
}
/* Returns the length of the part of an archive's name that becomes the name of its folder: the name without the
 * extension or, if a file of that name exists, the whole name. */
static int name_length(const struct listing *l, const char *path) {
    char folder[PATH_MAX];
    const int without = (int)(strlen(path) - unpack_knows(path));
    snprintf(folder, sizeof folder, "%s/%.*s", l->root, without, path);
    return access(folder, F_OK) ? without : (int)strlen(path);
}
/* Returns whether the message says that the machine lacks space, memory or processes, and this is true. The names of
 * files in an archive can imitate such a message, so the cause is checked. */
static bool is_machines(const char *message, const char *out, bool trusted) {
    char said[500];
    if (strstr(message, strerror(ENOSPC)) || strstr(message, strerror(EDQUOT))) return !unpack_has_room(out);
    return (strstr(message, strerror(EAGAIN)) || strstr(message, strerror(ENOMEM))) &&
           (trusted || !sandbox_present(said, sizeof said));
}
/* Unpacks each student's archive into its own folder. If an archive cannot be read, its student gets a message. */
static int open_archives(struct listing *l, const struct class_options *o) {
    char folder[PATH_MAX], archive[PATH_MAX], inside[PATH_MAX], real[PATH_MAX] = "", message[500];
    const size_t count = l->count;
    unsigned some = 0;
    for (size_t k = 0; k < count; k++) {
        if (l->kind[k] != FTS_F || !unpack_knows(l->path[k])) continue;
        snprintf(archive, sizeof archive, "%s/%s", l->root, l->path[k]);
        snprintf(inside, sizeof inside, "%.*s", name_length(l, l->path[k]), l->path[k]);
        snprintf(folder, sizeof folder, "%s/unpacked/%s", l->out, inside);
        const struct unpack u = {.archive = real, .folder = folder, .trusted = o->trusted};
        real[0] = 0;
        if (!realpath(archive, real)) snprintf(message, sizeof message, "cannot be read: %s", strerror(errno));
        if (!some++ && !o->trusted && !sandbox_present(message, sizeof message))
            return status_saying(EXIT_SETUP, "class", "%s", message);
        if (*real && unpack(&u, message, sizeof message))
            l->kind[k] = LISTING_UNPACKED,
            json_object_set_new_nocheck(l->archives, inside, json_string_nocheck(l->path[k]));
        else if (is_machines(message, l->out, o->trusted))
            return status_saying(EXIT_SETUP, "class", "%s: %s", archive, message);
        else
            json_object_set_new_nocheck(l->reasons, l->path[k], text_json(message));
    }
    snprintf(folder, sizeof folder, "%s/unpacked", l->out);
    return some ? list_files(folder, l) : 0;
}
int listing_read(struct listing *l, const struct class_options *o) {
    char unpacked[PATH_MAX];
    *l = (struct listing){.reasons = json_object(), .archives = json_object(), .loose = json_object()};
    snprintf(unpacked, sizeof unpacked, "%s/", o->out);
    file_make_folders(unpacked, 0700);
    if ((mkdir(o->out, 0700) && errno != EEXIST) || !realpath(o->out, l->out))
        return status_saying(EXIT_SETUP, "class", "%s: %s", o->out, strerror(errno));
    snprintf(unpacked, sizeof unpacked, "%s/unpacked", l->out);
    file_remove_folder(unpacked);
    int status = open_export(l, o);
    if (!status) status = list_files(l->root, l);
    return status ? status : open_archives(l, o);
}
void listing_place(const struct listing *l, const char *path, char out[PATH_MAX]) {
    snprintf(out, PATH_MAX, "%s/%s", l->root, path);
    if (access(out, F_OK)) snprintf(out, PATH_MAX, "%s/unpacked/%s", l->out, path);
}
void listing_origin(const struct listing *l, const char *path, char out[PATH_MAX]) {
    char folder[PATH_MAX];
    const char *archive = "";
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash; !*archive && (slash = strrchr(folder, '/')); archive = text_of(l->archives, folder)) *slash = 0;
    listing_place(l, *archive ? archive : path, out);
}
void listing_free(struct listing *l) {
    for (size_t k = 0; k < l->count; k++) free(l->path[k]);
    free(l->path);
    free(l->kind);
    json_decref(l->reasons);
    json_decref(l->archives);
    json_decref(l->loose);
}
