/* The compilers that make PTX of CUDA C: which there are, where, and how they are called. */
#ifndef JUDGE_COMPILER_H
#define JUDGE_COMPILER_H

#include <stddef.h>

struct compiler; /* nvcc or clang, where it is and how it is called */
/* `wanted`: "auto", "nvcc" or "clang". NULL and a message with the remedy if there is none. */
const struct compiler *compiler_find(const char *wanted, char *message, size_t size);
const char *compiler_name(const struct compiler *c);
/* How it is called, for files other than submissions: its path (NULL: not found; free() it), its flags up to NULL. */
char *compiler_program(const struct compiler *c);
const char *const *compiler_flags(const struct compiler *c);
/* The folder of nvcc's toolkit where `program` is a script that only calls it, as modules and packages install them;
 * NULL where it is the compiler itself, or does not tell. free() it. */
char *compiler_toolkit(const struct compiler *c, const char *program);

#endif
