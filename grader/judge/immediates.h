/* The integer operands in a kernel's PTX. A kernel may compare sizes, grids or remainders with them, so cases at and
 * next to these numbers cover what no random size would. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdbool.h>
#include <stdint.h>

/* An operand that is a number. */
struct literal {
    uint64_t bits; /* all 64 bits of an integer; the bits of a float */
    enum { LITERAL_WHOLE, LITERAL_F32, LITERAL_F64 } kind;
    bool compared, added; /* a setp compares with it; an add adds it */
    bool sized;           /* the integer may be a number of elements, blocks or launches */
};
enum { MOST_LITERALS = 160 };
struct literals {
    unsigned count;
    struct literal at[MOST_LITERALS];
};
enum { MOST_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, GREATEST_IMMEDIATE = 1 << 25 };
/* Integers in ascending order, without duplicates. A mask 2^k - 1 also adds 2^k, and -k adds k. */
struct immediates {
    unsigned count;
    uint32_t at[MOST_IMMEDIATES];
};

/* The numbers in the kernel `symbol` and in the module's functions. */
struct named {
    struct literals literals;   /* literals in their order, without duplicates */
    struct immediates integers; /* integers within the bounds above; those that do not fit are dropped */
    bool variables; /* there are module variables other than printf's texts, in which a launch can leave state */
};
/* The outline of a PTX text, used for all its kernels; NULL: out of memory. free() it. */
struct outline *outline_of(const char *ptx);
void named_of(const struct outline *o, const char *symbol, struct named *out);

#endif
