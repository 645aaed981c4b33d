/* The compilers that make PTX of CUDA C: which there are, where, and how they are called. */
#ifndef JUDGE_COMPILER_H
#define JUDGE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

/* One architecture for every machine: PTX of compute capability 7.5 runs on everything since, and the driver compiles
 * it on. */
enum { COMPILER_ARCH = 75, COMPILER_MOST_FLAGS = 26, COMPILER_FLAG = 40 };
/* nvcc or clang, and the compute capability that it compiles for: 75 is 7.5. */
struct compiler {
    const char *name;
    const char *const *flags; /* up to NULL; compiler_flags() completes them */
    const char *const *quick; /* further ones, up to NULL, for code that is hardly optimized */
    unsigned arch;
};
/* `wanted`: "auto", "nvcc" or "clang". NULL and a message with the remedy if there is none. */
const struct compiler *compiler_find(const char *wanted, char *message, size_t size);
const char *compiler_name(const struct compiler *c);
/* The same compiler for another compute capability; 0: as it is. */
struct compiler compiler_for(const struct compiler *c, unsigned arch);
/* How it is called: its path (NULL: not found; free() it), and its flags, at most COMPILER_MOST_FLAGS: how many it put
 * into argv. `arch` holds the text of one of them. */
char *compiler_program(const struct compiler *c);
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]);
/* The folder of nvcc's toolkit where `program` is a script that only calls it, as modules and packages install them;
 * NULL where it is the compiler itself, or does not tell. free() it. */
char *compiler_toolkit(const struct compiler *c, const char *program);

#endif
