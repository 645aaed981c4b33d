/* Reads a file that a student submits, once and only if it is valid. */
#ifndef JUDGE_SOURCE_H
#define JUDGE_SOURCE_H

#include <stddef.h>

/* The text of a regular file of at most `most` bytes without NUL bytes; free() it. Otherwise NULL, and `why` says what
 * is wrong, in words that follow the file's name in a message. Links are not followed; a byte order mark is removed. */
char *source_read(const char *path, size_t most, char *why, size_t size);
/* The first line of a CUDA C++ text that has a directive such as #line 5 "x", which changes line numbers or file names;
 * 0 if there is none. Such directives are refused, because messages and findings must name lines of the file itself. */
unsigned source_renumbered(const char *text);

#endif
