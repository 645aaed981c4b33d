/* The running program's file, for processes that execute the program again: workers, and compilers in the sandbox.
 * `make` may replace the file at any time, and a new program may not understand the requests of the old one. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Gets the path of the program's file, without links, truncated to size - 1 bytes, or "" if it is unknown. If the file
 * was replaced or removed after the start, another file has this path, or the path no longer exists. */
void program_path(char *out, size_t size);
/* Gets the path of a file that contains the running program. If the file that was started has been replaced or
 * removed, copies the program to a temporary folder, which is removed when this process exits. Returns false if the
 * copy fails. */
bool program_file(char out[PATH_MAX]);
/* Returns whether the file at the path is still the one that program_file() returned. Call this after executing the
 * program. */
bool program_stayed(const char *path);

#endif
