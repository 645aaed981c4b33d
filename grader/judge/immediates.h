/* Finds the numeric constants in a kernel's PTX. A kernel may compare sizes, grids or remainders with them, so cases at
 * and next to these constants find mistakes that random sizes would miss. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdbool.h>
#include <stdint.h>

/* An operand that is a constant. */
struct literal {
    uint64_t bits; /* the integer as 64 bits, or the bits of the float */
    enum { LITERAL_WHOLE, LITERAL_F32, LITERAL_F64 } kind;
    bool compared, added; /* whether a setp compares a value with the constant; whether an add adds the constant */
    bool sized;           /* whether the integer may be a number of elements, blocks or launches */
};
enum { MAX_LITERALS = 160 };
struct literals {
    unsigned count;
    struct literal at[MAX_LITERALS];
};
enum { MAX_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, LARGE_IMMEDIATE = 1 << 25 };
/* Integers in ascending order, without duplicates. The list also contains 2^k for a mask 2^k - 1, and k for -k.
 * Integers above LARGE_IMMEDIATE, up to 2^31, are included only if the kernel compares or adds them: others are usually
 * the limits of a type. */
struct immediates {
    unsigned count;
    uint32_t at[MAX_IMMEDIATES];
};

/* The constants in the kernel `symbol` and in the functions of its module. */
struct named {
    struct literals literals;   /* constants in order of occurrence, without duplicates, at most MAX_LITERALS */
    struct immediates integers; /* the integers within the bounds above, at most MAX_IMMEDIATES */
    bool narrow;    /* whether a conversion to a float, or a 24-bit product, may lose bits of an integer above 2^24 */
    bool doubles;   /* whether the kernel or a function adds doubles */
    bool variables; /* whether the kernel or a function uses the module's variables in global memory, other than the
                       format strings of printf, so that a launch can leave state for the next one */
};
/* Returns the outline of a PTX text, which can be used for all its kernels, or NULL if out of memory; free() it. */
struct outline *outline_of(const char *ptx);
/* Finds the constants for the kernel `symbol`. */
void named_of(const struct outline *o, const char *symbol, struct named *out);

#endif
