/* Files that a student hands in: read once, and only if they are what they should be. */
#ifndef JUDGE_SOURCE_H
#define JUDGE_SOURCE_H

#include <stddef.h>

/* The text of a plain file of at most `most` bytes without NUL bytes; free() it. Else NULL, and `why` says what the
 * file is or has, to follow its name in a message. Nothing is followed, waited for or read of what is no plain file. */
char *source_read(const char *path, size_t most, char *why, size_t size);

#endif
