/* Functions that read a whole file, or write it whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum file_how {
    FILE_NO_LINK = 1, /* refuse a symbolic link: ELOOP */
    FILE_CUT = 2      /* read only the first `most` bytes of a longer file; without it, EFBIG */
};
/* Returns the contents of a regular file, NUL-terminated; free() it. *length, if not NULL, excludes the NUL. Folders,
 * pipes, sockets and devices are refused without blocking (EINVAL); if open() fails, errno is open()'s. On failure
 * returns NULL with errno and sets *length to 0. `how`: flags of enum file_how, or 0. */
char *file_read(const char *path, unsigned how, size_t most, size_t *length);
/* Describes an errno of file_read, to follow the file's name: "is not a regular file". */
const char *file_why(int error);

/* Writes or overwrites a file; a new one has mode 0666 less the umask. On failure returns false with errno, and the
 * file may be incomplete. */
bool file_write(const char *path, const void *data, size_t length);
/* Writes a file through a temporary file and rename, so that a reader sees either the old content or the new. Sets
 * the mode regardless of the umask, and creates missing folders. A regular file that already has this content is not
 * touched. Returns false with errno on failure. */
bool file_replace(const char *path, const void *data, size_t length, unsigned mode);
/* Creates the missing parent folders of a file, with that mode less the umask. */
void file_make_folders(const char *path, unsigned mode);
/* Removes a folder and its contents as far as permissions allow; does not follow symbolic links. */
void file_remove_folder(const char *path);
/* Makes a folder for temporary files: grade-XXXXXX in /tmp, or in the folder that file_temporaries() set, in this
 * process or its parent. Returns false with errno on failure. */
enum { FILE_TEMPORARY = 32 };
bool file_temporary(char path[FILE_TEMPORARY]);
void file_temporaries(const char folder[FILE_TEMPORARY]); /* `folder` was made by file_temporary(); NULL: /tmp again */
/* Removes this user's grade-XXXXXX folders in `where` (/tmp, except in tests) that were last modified more than an
 * hour ago. No grade takes that long, so a killed grade left them behind. */
void file_remove_abandoned(const char *where);
/* Writes the path of the running executable, truncated to size - 1 bytes; "" if unknown. */
void file_of_program(char *out, size_t size);

#endif
