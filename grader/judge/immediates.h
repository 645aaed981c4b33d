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
/* Those of the kernel `symbol` and of the module's functions, each once, in their order. */
void literals_of(const char *ptx, const char *symbol, struct literals *out);
/* Does it, or a function of the module, use a variable of the module other than texts of printf()? There a launch can
 * leave something for the next one. */
bool uses_variables(const char *ptx, const char *symbol);

enum { MOST_IMMEDIATES = 48, LEAST_IMMEDIATE = 5, GREATEST_IMMEDIATE = 1 << 17 };
/* Rising, each once; the mask 2^k - 1 stands for 2^k, too, and -k for k. */
struct immediates {
    unsigned count;
    uint32_t at[MOST_IMMEDIATES];
};
/* Adds those of the kernel `symbol` and of the module's functions, within the bounds above; what does not fit any more
 * is left out. */
void immediates_of(const char *ptx, const char *symbol, struct immediates *out);

#endif
