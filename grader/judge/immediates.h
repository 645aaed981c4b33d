/* The integers that a kernel's PTX names as operands: what its sizes, grids and remainders are compared with. Cases at
 * and around them reach what no drawn size would. */
#ifndef JUDGE_IMMEDIATES_H
#define JUDGE_IMMEDIATES_H

#include <stdint.h>

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
