/* Watches files that are being edited, and reports when one is saved. It watches the folder instead of the file,
 * because many editors write a new file and rename it. */
#ifndef WATCH_SAVES_H
#define WATCH_SAVES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAVES_MOST = 4 };
struct saves {
    int fd; /* readable when saves_read() has something to do */
    unsigned count;
    struct saved_file {
        char folder[PATH_MAX], name[NAME_MAX + 1];
        int watch; /* the watch of its folder; -1: the folder does not exist */
    } file[SAVES_MOST];
};
/* `files` are paths. The files need not exist, but the folder of the first must. On failure returns false with a
 * message. */
bool saves_open(struct saves *s, const char *const *files, unsigned count, char *message, size_t size);
/* Reads all pending events; returns whether one of the files was saved, removed or renamed. */
bool saves_read(struct saves *s);
/* Whether a folder is missing; then call saves_again() periodically. */
bool saves_lost(const struct saves *s);
/* Watches folders that exist again. Returns true if there is one; this counts as a save. */
bool saves_again(struct saves *s);
void saves_close(struct saves *s);

#endif
