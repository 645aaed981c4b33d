/* Watches files that are being edited, and reports when one is saved. Many editors write a new file and rename it,
 * so the folder is watched instead of the file. */
#ifndef WATCH_SAVES_H
#define WATCH_SAVES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAVES_MAX = 4 };
struct saves {
    int fd; /* readable when saves_read() has events to read */
    unsigned count;
    struct saved_file {
        char folder[PATH_MAX], name[NAME_MAX + 1];
        int watch; /* watch descriptor of the folder; -1 if the folder is missing or cannot be watched */
    } file[SAVES_MAX];
};
/* Starts to watch the files with the given paths, at most SAVES_MAX. The files need not exist, but the folder of the
 * first one must. On failure, returns false with a message. */
bool saves_open(struct saves *s, const char *const *files, unsigned count, char *message, size_t size);
/* Reads all pending events. Returns whether one of the files was, or may have been, saved, removed or renamed. */
bool saves_read(struct saves *s);
/* Returns whether a folder is missing or cannot be watched. The caller must then call saves_again() periodically. */
bool saves_lost(const struct saves *s);
/* Resumes watching folders that have reappeared. Returns true if any did; the caller then acts as if a file had been
 * saved. */
bool saves_again(struct saves *s);
void saves_close(struct saves *s);

#endif
