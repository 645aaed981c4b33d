/* The integers that a kernel's PTX names as operands: what its sizes, grids and remainders are compared with. Cases at
 * and around them reach what no drawn size would. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdbool.h>
#include <stdint.h>

/* An operand that is a number. */
struct literal {
    uint64_t bits; /* of a whole number, all 64; of a float its own */
    enum { LITERAL_WHOLE, LITERAL_F32, LITERAL_F64 } kind;
    bool compared, added; /* by a setp, an add */
    bool sized;           /* it may be a number of elements, blocks or launches */
};
enum { MOST_LITERALS = 160 };
struct literals {
    unsigned count;
    struct literal at[MOST_LITERALS];
};
enum { MOST_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, GREATEST_IMMEDIATE = 1 << 17 };
/* Rising, each once; the mask 2^k - 1 stands for 2^k, too, and -k for k. */
struct immediates {
    unsigned count;
    uint32_t at[MOST_IMMEDIATES];
};

/* Of the kernel `symbol` and of the module's functions. */
struct named {
    struct literals literals;   /* each once, in their order */
    struct immediates integers; /* within the bounds above; what does not fit any more is left out */
    bool variables; /* of the module are used, other than texts of printf(): a launch can leave something there */
};
/* Where the functions of a text are, for all its kernels; NULL: no memory. free() them. */
struct outline *outline_of(const char *ptx);
void named_of(const struct outline *o, const char *symbol, struct named *out);

#endif
