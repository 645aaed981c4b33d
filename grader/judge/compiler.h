/* The compilers that make PTX of CUDA C: which there are, where, and how they are called. */
#ifndef JUDGE_COMPILER_H
#define JUDGE_COMPILER_H

#include "judge/nvrtc.h"
#include "sandbox/sandbox.h"
#include <stddef.h>

/* One architecture for every machine: PTX of compute capability 7.5 runs on everything since, and the driver compiles
 * it on. */
enum { COMPILER_ARCH = 75, COMPILER_MOST_FLAGS = 26, COMPILER_FLAG = 40, COMPILER_MOST_WORDS = 3 };
/* One of COMPILER_NAMES, and the compute capability that it compiles for: 75 is 7.5. */
struct compiler {
    const char *name;
    const char *const *flags; /* up to NULL; compiler_flags() completes them */
    const char *const *quick; /* further ones, up to NULL, for code that is hardly optimized */
    unsigned arch;
    const struct compiler *otherwise; /* it compiles what this one refuses, and its word counts; or NULL */
};
#define COMPILER_NAMES "nvrtc, nvcc or clang"
/* `wanted`: one of the names, or "auto": the first that is there, in this order; of nvrtc what it refuses goes to nvcc.
 * NULL and a message with the remedy if there is none. */
const struct compiler *compiler_find(const char *wanted, char *message, size_t size);
bool compiler_known(const char *wanted); /* it may be there or not */
const char *compiler_name(const struct compiler *c);
/* The same compiler for another compute capability; 0: as it is. */
struct compiler compiler_for(const struct compiler *c, unsigned arch);
/* The path of what compiles, a program or a library; NULL: not found. free() it. */
char *compiler_program(const struct compiler *c);
/* Can it be started before its file is there (`waits`, below)? It reads a byte of its standard input then. */
bool compiler_waits(const struct compiler *c);
/* How it is called: the words that begin its command line, at most COMPILER_MOST_WORDS, and its flags, at most
 * COMPILER_MOST_FLAGS: how many were put into argv. `own` and `arch` hold the text of one of them. */
unsigned compiler_words(const struct compiler *c, const char *path, bool waits, const char *argv[], char own[PATH_MAX]);
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]);
/* What a sandbox has to show, so that its command, which those words begin, can run: behind s->shown[0]. The texts are
 * those of `shown`, up to compiler_hide(). */
struct compiler_shown {
    char folder[NVRTC_INCLUDES + 1][PATH_MAX], *toolkit;
};
void compiler_show(const struct compiler *c, struct compiler_shown *shown, struct sandbox *s);
void compiler_hide(struct compiler_shown *shown);
/* The folder of nvcc's toolkit where `program` is a script that only calls it, as modules and packages install them;
 * NULL where it is the compiler itself, or does not tell. free() it. */
char *compiler_toolkit(const struct compiler *c, const char *program);

#endif
