/* Reads and writes files for tests. On failure, the functions print the reason and exit with status 1. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the contents of a file, NUL-terminated; free() it. */
static inline char *read_file(const char *path) {
    char *text = file_read(path, 0, (size_t)1 << 30, NULL);
    if (!text) fprintf(stderr, "%s: %s\n", path, file_why(errno)), exit(1);
    return text;
}
static inline void write_file(const char *path, const char *data, size_t length) {
    if (!file_write(path, data, length)) perror(path), exit(1);
}

#endif
