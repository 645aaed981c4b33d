/* Finds the numeric constants in a kernel's PTX, and in the initial values of its variables. A kernel may compare
 * sizes, grids or remainders with them. Cases at these constants and next to them find mistakes that random sizes would
 * miss. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdbool.h>
#include <stdint.h>

/* An operand that is a constant. */
struct literal {
    uint64_t bits; /* an integer as 64 bits, or the bits of a float */
    enum { LITERAL_WHOLE, LITERAL_F32, LITERAL_F64 } kind;
    bool compared, added; /* compared: a setp compares a value with the constant; added: an add adds it */
    bool sized;           /* the integer may be a number of elements, blocks or launches */
};
enum { MAX_LITERALS = 160 };
struct literals {
    unsigned count;
    struct literal at[MAX_LITERALS];
};
enum { MAX_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, LARGE_IMMEDIATE = 1 << 25 };
/* Integers in ascending order, without duplicates. A mask 2^k - 1 and a shift to the right by k add 2^k, -k adds k, and
 * other masks add the lowest bit that they clear between bits that they keep. An integer above LARGE_IMMEDIATE, up to
 * 2^31, is usually the limit of a type. It is included only if the kernel compares with it or adds it, or selects all
 * higher bits. */
struct immediates {
    unsigned count;
    uint32_t at[MAX_IMMEDIATES];
};

/* The constants in a kernel and in the functions of its module. */
struct named {
    struct literals literals;   /* in order of occurrence, without duplicates, at most MAX_LITERALS */
    struct immediates integers; /* within the bounds above, at most MAX_IMMEDIATES */
    bool narrow;    /* a conversion to a float, a 24-bit product or mask, or a product that is divided may lose bits
                       of an integer above 2^24 */
    bool shortens;  /* block numbers above 2^12 may be too large: an instruction may use only 16 bits of an integer, an
                       array has 2^12 bytes or more, or one of the integers is from 2^12 to 2^20 */
    bool doubles;   /* the kernel or a function adds doubles */
    bool revisits;  /* the kernel and the functions together have at least two atomics or strong loads: between two of
                       them, other threads may change the same value */
    bool variables; /* the kernel or a function uses the module's variables in global memory, so that a launch may leave
                       state for the next one; format strings of printf do not count */
};
/* Returns the outline of a PTX text, for all its kernels; free() it. Returns NULL if out of memory. */
struct outline *outline_of(const char *ptx);
/* Finds the constants for the kernel `symbol`. */
void named_of(const struct outline *o, const char *symbol, struct named *out);

#endif
