/* Finds the numbers in a kernel's PTX. A kernel may compare sizes, grids or remainders with them, so cases at and next
 * to these numbers cover what random sizes would miss. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdbool.h>
#include <stdint.h>

/* An operand that is a number. */
struct literal {
    uint64_t bits; /* the 64 bits of an integer, or the bits of a float */
    enum { LITERAL_WHOLE, LITERAL_F32, LITERAL_F64 } kind;
    bool compared, added; /* compared: a setp compares with it; added: an add adds it */
    bool sized;           /* the integer may be a number of elements, blocks or launches */
};
enum { MOST_LITERALS = 160 };
struct literals {
    unsigned count;
    struct literal at[MOST_LITERALS];
};
enum { MOST_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, GREATEST_IMMEDIATE = 1 << 25 };
/* Integers in ascending order, without duplicates. A mask 2^k - 1 also adds 2^k, and -k also adds k. */
struct immediates {
    unsigned count;
    uint32_t at[MOST_IMMEDIATES];
};

/* The numbers in the kernel `symbol` and in the functions of the module. */
struct named {
    struct literals literals;   /* literals in order of occurrence, without duplicates */
    struct immediates integers; /* integers within the bounds above; integers that do not fit are dropped */
    bool variables; /* whether the module has variables other than the texts of printf, so that a launch can leave state
                       for the next one */
};
/* Makes the outline of a PTX text, which serves all its kernels; free() it. Returns NULL if out of memory. */
struct outline *outline_of(const char *ptx);
void named_of(const struct outline *o, const char *symbol, struct named *out);

#endif
