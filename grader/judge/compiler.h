/* The compilers from CUDA C to PTX: which ones exist, where, and how to call them. */
#ifndef JUDGE_COMPILER_H
#define JUDGE_COMPILER_H

#include "judge/nvrtc.h"
#include "sandbox/sandbox.h"
#include <stddef.h>

/* One architecture for every machine: PTX for compute capability 7.5 runs on all later GPUs, after compilation by the
 * driver. */
enum { COMPILER_ARCH = 75, COMPILER_MOST_FLAGS = 26, COMPILER_FLAG = 40, COMPILER_MOST_WORDS = 3 };
/* One of COMPILER_NAMES, and the target compute capability: 75 is 7.5. */
struct compiler {
    const char *name;
    const char *const *flags; /* NULL-terminated; compiler_flags() completes them */
    const char *const *quick; /* additional ones, NULL-terminated, for minimal optimization */
    unsigned arch;
    const struct compiler *otherwise; /* compiles what this one rejects, and decides; or NULL */
};
#define COMPILER_NAMES "nvrtc, nvcc or clang"
/* `wanted`: one of the names, or "auto": the first available one, in this order; what nvrtc rejects goes to nvcc. NULL
 * with a message and the remedy if there is none. */
const struct compiler *compiler_find(const char *wanted, char *message, size_t size);
bool compiler_known(const char *wanted); /* whether available or not */
const char *compiler_name(const struct compiler *c);
/* The same compiler for another compute capability; 0: unchanged. */
struct compiler compiler_for(const struct compiler *c, unsigned arch);
/* The path of the compiler, a program or a library; NULL if not found. free() it. */
char *compiler_program(const struct compiler *c);
/* The compute capability passed to the compiler for `arch`: at most the last one that it knows. Its output runs on
 * later ones too, and inline assembly may use instructions that only those have. */
unsigned compiler_knows(const struct compiler *c, unsigned arch);
/* Whether it can be started before its file exists (`waits`, below). It then reads a byte from standard input. */
bool compiler_waits(const struct compiler *c);
/* Starting it takes little time beside compiling a lab: two of them share the work. */
bool compiler_is_light(const struct compiler *c);
/* The first words of its command line, at most COMPILER_MOST_WORDS, and its flags, at most COMPILER_MOST_FLAGS: returns
 * the number put into argv. `own` and `arch` hold the text of one of them. */
unsigned compiler_words(const struct compiler *c, const char *path, bool waits, const char *argv[], char own[PATH_MAX]);
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]);
/* What a sandbox must show so that its command can run: after s->shown[0]. The texts belong to `shown`, until
 * compiler_hide(). */
struct compiler_shown {
    char folder[NVRTC_INCLUDES + 1][PATH_MAX], *toolkit;
};
void compiler_show(const struct compiler *c, struct compiler_shown *shown, struct sandbox *s);
void compiler_hide(struct compiler_shown *shown);
/* The folder of nvcc's toolkit if `program` is a script that only calls it, as modules and packages install them; NULL
 * if it is the compiler itself, or does not say. free() it. */
char *compiler_toolkit(const struct compiler *c, const char *program);

#endif
