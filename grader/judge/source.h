/* Files that a student hands in: read once, and only if they are what they should be. */
#ifndef JUDGE_SOURCE_H
#define JUDGE_SOURCE_H

#include <stddef.h>

/* The text of a plain file of at most `most` bytes without NUL bytes; free() it. Else NULL, and `why` says what the
 * file is or has, to follow its name in a message. Nothing is followed, waited for or read of what is no plain file. */
char *source_read(const char *path, size_t most, char *why, size_t size);
/* The first line of a CUDA C++ text with a directive that gives lines other numbers or another file's name, such as
 * #line 5 "x"; 0: there is none. Messages and findings name the lines of the file itself. */
unsigned source_renumbered(const char *text);

#endif
