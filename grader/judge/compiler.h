/* Compilers from CUDA C++ to PTX: which ones exist, where they are, and how to call them. */
#ifndef JUDGE_COMPILER_H
#define JUDGE_COMPILER_H

#include "judge/nvrtc.h"
#include "sandbox/sandbox.h"
#include <stddef.h>

/* The default architecture. The driver can compile PTX for compute capability 7.5 on all later GPUs. */
enum { COMPILER_ARCH = 75, COMPILER_MOST_FLAGS = 26, COMPILER_FLAG = 40, COMPILER_MOST_WORDS = 3 };
/* A compiler, with a name from COMPILER_NAMES, and the target compute capability (75 for 7.5). */
struct compiler {
    const char *name;
    const char *const *flags; /* NULL-terminated; compiler_flags() completes them */
    const char *const *quick; /* additional flags for minimal optimization, NULL-terminated */
    unsigned arch;
    const struct compiler *otherwise; /* the compiler that decides on files that this one rejects; or NULL */
    bool special;                     /* whether to allow instructions that only this compute capability has (sm_90a) */
};
#define COMPILER_NAMES "nvrtc, nvcc or clang"
/* Finds a compiler by name; "auto" selects the first available one, in the order of COMPILER_NAMES. With "auto", nvcc
 * compiles files that nvrtc rejects. If there is none, returns NULL, and the message says what to install. */
const struct compiler *compiler_find(const char *wanted, char *message, size_t size);
bool compiler_known(const char *wanted); /* whether the name is known, even if the compiler is not installed */
const char *compiler_name(const struct compiler *c);
/* Returns the same compiler for compute capability `arch`, or unchanged if `arch` is 0. */
struct compiler compiler_for(const struct compiler *c, unsigned arch);
/* Returns the path of the compiler, which is a program or a library; free() it. NULL if not found. */
char *compiler_program(const struct compiler *c);
/* Returns the compute capability to compile for, given `arch`: at most the last one that the compiler supports. Later
 * GPUs also run its output, and inline assembly may use instructions of later GPUs. */
unsigned compiler_knows(const struct compiler *c, unsigned arch);
/* Returns whether the compiler can be started before its file exists (`waits`, below). It then waits for a byte on
 * standard input. */
bool compiler_waits(const struct compiler *c);
/* Returns whether starting the compiler takes little time compared with compiling a lab, so that two processes can
 * share the work. */
bool compiler_is_light(const struct compiler *c);
/* compiler_words() stores the first words of the command line, at most COMPILER_MOST_WORDS, in argv; compiler_flags()
 * stores the flags, at most COMPILER_MOST_FLAGS. Both return the number of words. `own` and `arch` are storage for the
 * text of one word. */
unsigned compiler_words(const struct compiler *c, const char *path, bool waits, const char *argv[], char own[PATH_MAX]);
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]);
/* Adds to s->shown what the compiler needs in a sandbox. `shown` owns the texts until compiler_hide(). */
struct compiler_shown {
    char folder[NVRTC_INCLUDES + 1][PATH_MAX], *toolkit;
};
void compiler_show(const struct compiler *c, struct compiler_shown *shown, struct sandbox *s);
void compiler_hide(struct compiler_shown *shown);
/* Environment modules and packages install scripts that only call nvcc. If `program` is such a script, returns the
 * folder of nvcc's toolkit, which the caller frees. Returns NULL if `program` is the compiler itself or does not report
 * the folder. */
char *compiler_toolkit(const struct compiler *c, const char *program);

#endif
