/* The compilers that translate CUDA C++ to PTX: which ones are installed, where, and how to call them. */
#ifndef COMPILE_COMPILER_H
#define COMPILE_COMPILER_H

#include "compile/nvrtc.h"
#include "sandbox/sandbox.h"
#include <stddef.h>

/* The default architecture. PTX for compute capability 7.5 runs on all later GPUs, because the driver compiles it for
 * them. */
enum { COMPILER_ARCH = 75, COMPILER_MAX_FLAGS = 26, COMPILER_FLAG = 40, COMPILER_MAX_WORDS = 3 };
/* A compiler: its name (one of COMPILER_NAMES) and the compute capability to compile for (75 for 7.5). */
struct compiler {
    const char *name;
    const char *const *flags; /* NULL-terminated; to be completed by compiler_flags() */
    const char *const *quick; /* additional flags for minimal optimization, also NULL-terminated */
    unsigned arch;
    const struct compiler *otherwise; /* compiler to try if this one rejects a file; NULL if none */
    bool special; /* whether to allow instructions that exist only for this compute capability (sm_90a) */
};
#define COMPILER_NAMES "nvrtc, nvcc or clang"
/* Finds a compiler by name. "auto" selects the first one of COMPILER_NAMES that is installed and lets nvcc compile
 * files that nvrtc rejects. Returns NULL if there is none; the message then says what to install. */
const struct compiler *compiler_find(const char *wanted, char *message, size_t size);
bool compiler_known(const char *wanted); /* whether this is "auto" or the name of a compiler, installed or not */
const char *compiler_name(const struct compiler *c);
/* Returns a copy of `c` that compiles for compute capability `arch` or, if `arch` is 0, for the compute capability of
 * `c`. */
struct compiler compiler_for(const struct compiler *c, unsigned arch);
/* Returns the path of the compiler's program or library, or NULL if it is not installed; free() it. */
char *compiler_program(const struct compiler *c);
/* Returns `arch` or, if the compiler does not support it yet, the latest compute capability that the compiler supports.
 * The resulting PTX also runs on later GPUs, and its inline assembly may still use instructions of those GPUs. */
unsigned compiler_supported_arch(const struct compiler *c, unsigned arch);
/* Returns whether the compiler can start before its file exists (`waits`, below) and wait for a byte on standard
 * input. */
bool compiler_waits(const struct compiler *c);
/* Returns whether the compiler starts fast enough, compared with the time to compile a lab, for two processes to share
 * the work. */
bool compiler_is_light(const struct compiler *c);
/* compiler_words() stores the first words of the command line in argv, at most COMPILER_MAX_WORDS. compiler_flags()
 * stores the flags, at most COMPILER_MAX_FLAGS. Both return the number of words stored. `own` and `arch` are storage
 * for the text of one word each. */
unsigned compiler_words(const struct compiler *c, const char *path, bool waits, const char *argv[], char own[PATH_MAX]);
unsigned compiler_flags(const struct compiler *c, bool quick, const char *argv[], char arch[COMPILER_FLAG]);
/* Makes visible in the sandbox the files that the compiler needs. `shown` owns the texts until compiler_hide(). */
struct compiler_shown {
    char folder[NVRTC_INCLUDES + 1][PATH_MAX], *toolkit;
};
void compiler_show(const struct compiler *c, struct compiler_shown *shown, struct sandbox *s);
void compiler_hide(struct compiler_shown *shown);
/* Some environment modules and packages install nvcc as a script that calls the real nvcc. If `program` is such a
 * script, returns the folder of the toolkit; free() it. Returns NULL if `program` is the compiler itself or if the
 * folder cannot be determined. */
char *compiler_toolkit(const struct compiler *c, const char *program);

#endif
