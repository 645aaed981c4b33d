/* The integer operands in a kernel's PTX, to which its sizes, grids and remainders may be compared. Cases at and around
 * them cover what no random size would. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdbool.h>
#include <stdint.h>

/* An operand that is a number. */
struct literal {
    uint64_t bits; /* of an integer, all 64; of a float, its own */
    enum { LITERAL_WHOLE, LITERAL_F32, LITERAL_F64 } kind;
    bool compared, added; /* by a setp, an add */
    bool sized;           /* it may be a number of elements, blocks or launches */
};
enum { MOST_LITERALS = 160 };
struct literals {
    unsigned count;
    struct literal at[MOST_LITERALS];
};
enum { MOST_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, GREATEST_IMMEDIATE = 1 << 25 };
/* Ascending, without duplicates; the mask 2^k - 1 also gives 2^k, and -k gives k. */
struct immediates {
    unsigned count;
    uint32_t at[MOST_IMMEDIATES];
};

/* For the kernel `symbol` and the module's functions. */
struct named {
    struct literals literals;   /* without duplicates, in order */
    struct immediates integers; /* within the bounds above; the excess is dropped */
    bool variables; /* module variables are used, other than printf's texts: a launch can leave state there */
};
/* The functions in a text, for all its kernels; NULL: out of memory. free() it. */
struct outline *outline_of(const char *ptx);
void named_of(const struct outline *o, const char *symbol, struct named *out);

#endif
