/* The table of cases that checks draw from. Each row names a generator, the sets that include its cases, and the share
 * of its cases that is drawn. To add cases to a set, add a row to case_rows.c. */
#ifndef JUDGE_CASE_ROWS_H
#define JUDGE_CASE_ROWS_H

#include "judge/immediates.h"
#include "judge/special.h"

/* Draws a number of blocks for a grid-stride kernel. The possible numbers are divided into strata. The result comes
 * from stratum k, modulo the number of strata. */
uint32_t case_grid(unsigned k, uint64_t random);

/* A size: n = times * unit + plus, or a random n between that number and to_times * unit + to_plus. The generator
 * defines the unit. */
struct size {
    int times, plus, to_times, to_plus;
};
struct sizes {
    unsigned count;
    const struct size *row;
};
/* Generates the k-th case of a row by setting n, grid, and the members that distinguish the row's cases, such as
 * offset, cluster or launches. Returns false if the row has no more cases. All other members are already set, except
 * for `block` if the row's blocks are CHOSEN, NAMED, SPECIAL or ANY. Random choices depend only on `random` and k, not
 * on which other cases are drawn. `tuning` is for kernels whose file chooses a launch configuration, `named` for rows
 * with NAMED, and `specials` for rows with SPECIAL. */
struct maker {
    const struct sizes *sizes;
    uint64_t random;
    const struct tuning *tuning;
    const struct immediates *named; /* integers in the kernel's PTX */
    const struct specials *specials;
};
typedef bool case_maker(const struct maker *m, unsigned k, struct grade_case *c);

/* Traits of a kernel, which determine the rows that apply to it. */
enum case_trait {
    ORDERED = 1, /* keeps operands in order; each block takes a contiguous chunk */
    GRID_STRIDE = 2,
    ANY_START = 4,
    TUNED = 8,
    ANY_N_IN_A_BLOCK = 16,
    ONE_LAUNCH = 32, /* FINISH_ITSELF */
    MANY_BLOCKS = 64 /* takes any n on multiple blocks; its results are not arrays */,
    MANY_LANES = 128, /* runs one block, distributes the elements over its threads, and does not work in place */
    STATE =
        256, /* a launch can leave state for the next one: FINISH_ITSELF, or the kernel uses variables of the module */
    NARROW = 1024,  /* may lose bits of integers above 2^24 */
    DOUBLES = 2048, /* sums of 32-bit integers that may be added as doubles */
    SEGMENTS = 512  /* has segments, which may begin after the last element */
};
unsigned case_traits(const struct lab_kernel *kernel);
/* The share of a generator's cases that is drawn. */
enum case_share { ALL, QUARTER /* at least one */, EIGHTH, ONE };
enum case_blocks {
    DRAWN /* drawn at random from all block sizes */,
    WARP,
    WIDEST /* the largest block that the kernel accepts */,
    CHOSEN /* the block size that the file chooses */,
    NAMED /* chosen by the generator, which uses the integers in the kernel's PTX */,
    SPECIAL /* chosen by the generator, which makes at most one case per pack of special values (special.h) */,
    ANY /* chosen by the generator */
};
struct case_row {
    const char *name; /* name of the row, which also seeds its random stream */
    unsigned sets;    /* bit mask of the sets that include the row */
    unsigned traits;  /* bit mask of the traits that a kernel must have */
    enum case_blocks blocks;
    case_maker *make;
    const struct sizes *sizes;
    enum data_kind data;
    /* How many cases are drawn. `thorough` is for the lab's first variant, one that the seed selects and, in rows with
     * NAMED, that of WIDER_EXACT; `in_order` for other variants whose operator does not commute; `others` for the
     * remaining variants. */
    enum case_share thorough, in_order, others;
    /* FIRST_VARIANT: only the lab's first variant. FIRST_EXACT: only the first variant whose results are exact for any
     * number of elements; for a kernel that keeps operands in order, preferably one whose operator does not commute.
     * FEW_VARIANTS: these two and one that the seed selects. WIDER_EXACT: one that the seed selects from the variants
     * of integers with more bytes than FIRST_EXACT that select an operand if and only if FIRST_EXACT does. LONG_SUM:
     * the sum of 64-bit integers. */
    enum { EVERY_VARIANT, FIRST_VARIANT, FIRST_EXACT, FEW_VARIANTS, WIDER_EXACT, LONG_SUM } of;
    /* If `sets` includes CASES_MEASURED: the share of these cases that is in it. 0 is ALL. */
    enum case_share measured_thorough, measured_in_order, measured_others;
};
extern const struct case_row case_rows[];
extern const unsigned case_row_count;

#endif
