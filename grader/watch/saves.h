/* Files that someone edits: tells when one of them is saved, however the editor does it. A folder is watched, not the
 * file, since many editors write a new file and rename it. */
#ifndef WATCH_SAVES_H
#define WATCH_SAVES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAVES_MOST = 4 };
struct saves {
    int fd; /* can be read when saves_read() has something to do */
    unsigned count;
    struct saved_file {
        char folder[PATH_MAX], name[NAME_MAX + 1];
        int watch; /* of its folder; -1: the folder is not there */
    } file[SAVES_MOST];
};
/* `files`: their paths; they need not be there, the folder of the first has to be. False and a message. */
bool saves_open(struct saves *s, const char *const *files, unsigned count, char *message, size_t size);
/* Takes all that has happened; was it, in part, a save, a removal or a renaming of one of the files? */
bool saves_read(struct saves *s);
/* Some folder is gone: call saves_again() now and then. */
bool saves_lost(const struct saves *s);
/* Watches folders that have come back; true: one has, which counts as a save. */
bool saves_again(struct saves *s);
void saves_close(struct saves *s);

#endif
