/* Files: read whole, written whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum file_how {
    FILE_NO_LINK = 1, /* a path that is a symbolic link is refused: ELOOP */
    FILE_CUT = 2      /* of a longer file the first `most` bytes; otherwise it is refused: EFBIG */
};
/* The bytes of a plain file and a byte 0 behind them; free() it. *length, if not NULL, is without that 0. Nothing else
 * is opened for good or waited for: a folder, pipe, socket or device is refused (EINVAL; what cannot be opened at all:
 * as open() says). NULL with errno; then *length is 0. `how`: of enum file_how, or 0. */
char *file_read(const char *path, unsigned how, size_t most, size_t *length);
/* What errno of file_read means, to follow the file's name: "is not a plain file". */
const char *file_why(int error);

/* Writes or overwrites a file, 0666 less the umask if it is new; false with errno, and then it may hold a part. */
bool file_write(const char *path, const void *data, size_t length);
/* The same through a new file beside it, so that a reader sees the old content or the new; with that mode whatever the
 * umask, and with the folders that it needs. A plain file that holds this already is left alone. False with errno. */
bool file_replace(const char *path, const void *data, size_t length, unsigned mode);
/* Makes the folders of a file that is to be written, all that are missing, of that mode less the umask. */
void file_make_folders(const char *path, unsigned mode);
/* Removes a folder with all that is in it, as far as it can; follows no symbolic link. */
void file_remove_folder(const char *path);
/* Makes a folder for temporary files: /tmp/grade-XXXXXX, or such a one in the folder that file_temporaries() was told
 * before, by this process or the one that forked it. False with errno. */
enum { FILE_TEMPORARY = 32 };
bool file_temporary(char path[FILE_TEMPORARY]);
void file_temporaries(const char folder[FILE_TEMPORARY]); /* one that file_temporary() made; NULL: /tmp again */
/* Removes this user's /tmp/grade-XXXXXX (in place of /tmp: `where`) that nobody has changed for an hour, which is
 * longer than any grade lasts: a grade that was killed left them. */
void file_remove_abandoned(const char *where);
/* The path of the program that runs, at most size - 1 bytes of it; "": it cannot be told. */
void file_of_program(char *out, size_t size);

#endif
