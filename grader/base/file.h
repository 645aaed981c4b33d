/* Functions that read or write whole files. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum file_how {
    FILE_NO_LINK = 1, /* fail with ELOOP for a symbolic link */
    FILE_CUT = 2      /* read only the first `most` bytes of a longer file instead of failing with EFBIG */
};
/* Returns the contents of a regular file of at most `most` bytes, NUL-terminated; free() it. *length, if `length` is
 * not NULL, excludes the NUL. On failure, returns NULL with errno and sets *length to 0. A longer file gives EFBIG; a
 * folder, a pipe or a device gives EINVAL, without blocking. how: flags of enum file_how, or 0. */
char *file_read(const char *path, unsigned how, size_t most, size_t *length);
/* Returns a description of an errno from file_read(), such as "not a regular file", to be printed after the name of
 * the file and a colon. */
const char *file_why(int error);

/* Writes or overwrites a file. A new file has mode 0666 less the umask. On failure returns false with errno, and the
 * file may be incomplete. */
bool file_write(const char *path, const void *data, size_t length);
/* Writes a temporary file and renames it, so that readers see either the old content or the new. Sets the mode
 * regardless of the umask and creates missing folders. Does not touch a regular file that already has this content. On
 * failure returns false with errno. */
bool file_replace(const char *path, const void *data, size_t length, unsigned mode);
/* Creates the missing parent folders of a file, with mode `mode` less the umask. */
void file_make_folders(const char *path, unsigned mode);
/* Removes a folder and its contents, as far as permissions allow. Does not follow symbolic links. */
void file_remove_folder(const char *path);
/* Creates a folder for temporary files: grade-PID-XXXXXX in /tmp, or in the folder that file_temporaries() set in this
 * process or its parent. On failure returns false with errno. */
enum { FILE_TEMPORARY = 56 };
bool file_temporary(char path[FILE_TEMPORARY]);
void file_temporaries(
    const char folder[FILE_TEMPORARY]); /* `folder`: the result of file_temporary(), or NULL to use /tmp again */
/* Removes folders of this user in `where` (/tmp, except in tests) that file_temporary() created, if they were last
 * modified more than an hour ago and the process that created them is gone. Neither condition suffices alone: the clock
 * may have been set, and a process in a container that shares /tmp is not visible here. */
void file_remove_abandoned(const char *where);

#endif
