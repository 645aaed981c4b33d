/* Reads a student's file once and accepts it only if it is valid. */
#ifndef COMPILE_SOURCE_H
#define COMPILE_SOURCE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the text of a regular file of at most `most` bytes without NUL bytes; free() it. Removes a byte order mark.
 * Does not follow links. On failure returns NULL, and `why` describes the problem in words that can follow the file's
 * name in a message. */
char *source_read(const char *path, size_t most, char *why, size_t size);
/* Returns the number of the first line with a directive that changes line numbers or file names, such as #line 5 "x",
 * or 0 if a CUDA C++ text has no such line. Such directives are not allowed because messages and findings must refer to
 * the lines of the file itself. */
unsigned source_renumbered(const char *text);
/* Returns a copy of the text to compile, with the same lines; free() it. #pragma once has no effect in it,
 * because the word is blank. Constant strings replace __DATE__, __TIME__ and __TIMESTAMP__, so that the PTX does not
 * depend on the clock. */
char *source_to_compile(const char *text);
/* A translation unit contains a text several times, once for each variant. If the text defines macros and leaves them
 * defined, such as an include guard, the next copy would differ. source_note_macros() writes directives that belong
 * before the first copy: they note which of the text's macros were already defined. source_forget_macros() writes
 * directives that belong after each copy: they remove the other macros of the text. */
void source_note_macros(FILE *unit, const char *text);
void source_forget_macros(FILE *unit, const char *text);

#endif
