/* Reads a student's file once, and accepts it only if it is valid. */
#ifndef COMPILE_SOURCE_H
#define COMPILE_SOURCE_H

#include <stddef.h>

/* Returns the text of a regular file of at most `most` bytes without NUL bytes; free() it. Removes a byte order mark.
 * Does not follow links. On failure returns NULL, and `why` describes the problem in words that can follow the file's
 * name in a message. */
char *source_read(const char *path, size_t most, char *why, size_t size);
/* Returns the number of the first line with a directive that changes line numbers or file names, such as #line 5 "x",
 * or 0 if a CUDA C++ text has no such line. Such directives are not allowed because messages and findings must refer to
 * the lines of the file itself. */
unsigned source_renumbered(const char *text);

#endif
