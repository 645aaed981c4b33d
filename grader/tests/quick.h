/* Selects the compiler for most tests: the one that the variable CUDA names (make test CUDA=nvcc). If CUDA is not set,
 * it is the one that `auto` selects. But clang replaces an nvcc that `auto` selects, because nvcc takes five
 * times as long for a small file.
 * check_grade tests nvcc. The campaigns (make test-mistakes, make test-hostile) use the compiler that CUDA names or
 * that `auto` selects. */
#ifndef TESTS_QUICK_H
#define TESTS_QUICK_H

#include "compile/compiler.h"

#include <stdlib.h>
#include <string.h>

static inline const char *quick_compiler(void) {
    const char *wanted = getenv("CUDA");
    char why[500];
    if (wanted && *wanted && strcmp(wanted, "auto") != 0) return wanted;
    const struct compiler *first = compiler_find("auto", why, sizeof why);
    return first && !strcmp(compiler_name(first), "nvcc") && compiler_find("clang", why, sizeof why) ? "clang" : "auto";
}
/* Returns the compiler that CUDA names or, without CUDA, one of the installed compilers: they take turns by `n`. For
 * tests of compiler options and messages. */
static inline const char *compiler_in_turn(unsigned n) {
    static const char *const all[] = {"nvrtc", "nvcc", "clang"};
    const char *wanted = getenv("CUDA"), *there[3];
    char why[400];
    unsigned count = 0;
    if (wanted && *wanted && strcmp(wanted, "auto") != 0) return wanted;
    for (unsigned k = 0; k < 3; k++)
        if (compiler_find(all[k], why, sizeof why)) there[count++] = all[k];
    return count ? there[n % count] : "auto";
}

#endif
