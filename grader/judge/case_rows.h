/* The table of cases that checks draw from. Each row names a generator, the sets that include its cases, and the
 * share of its cases that is drawn. To add cases to a set, add a row to case_rows.c. */
#ifndef JUDGE_CASE_ROWS_H
#define JUDGE_CASE_ROWS_H

#include "judge/immediates.h"
#include "judge/special.h"

/* Draws a number of blocks for a grid-stride kernel. The possible numbers are divided into strata, and the result is
 * in stratum k modulo the number of strata. */
uint32_t case_grid(unsigned k, uint64_t random);

/* A size: n = times * unit + plus or, if to_times or to_plus is set, a random n from there to to_times * unit +
 * to_plus. The generator defines the unit. */
struct size {
    int times, plus, to_times, to_plus;
};
struct sizes {
    unsigned count;
    const struct size *row;
};
/* Generates case k of a row: sets n, grid, and the members that distinguish the row's cases, such as offset, cluster
 * or launches. Returns false if the row has no case k. All other members are already set, except for `block` if the
 * row's blocks are CHOSEN, NAMED, SPECIAL or ANY. Random choices depend only on `random` and k, not on which other
 * cases are drawn.
 *
 * `tuning` is for kernels whose file chooses the launch, `named` for rows with NAMED, and `specials` for rows with
 * SPECIAL. */
struct maker {
    const struct sizes *sizes;
    uint64_t random;
    const struct tuning *tuning;
    const struct immediates *named; /* integers in the kernel's PTX */
    const struct specials *specials;
};
typedef bool case_maker(const struct maker *m, unsigned k, struct grade_case *c);

/* Properties of a kernel that determine which rows apply to it. */
enum case_trait {
    ORDERED = 1, /* keeps operands in order; each block takes a contiguous chunk */
    GRID_STRIDE = 2,
    ANY_START = 4,
    TUNED = 8,
    ANY_N_IN_A_BLOCK = 16,
    ONE_LAUNCH = 32, /* FINISH_ITSELF */
    MANY_BLOCKS = 64 /* takes any n on multiple blocks, and its results are not arrays */,
    MANY_LANES = 128, /* runs on one block, distributes the elements over its threads, and does not work in place */
    STATE =
        256, /* a launch may leave state for the next one: FINISH_ITSELF, or the kernel uses the module's variables */
    NARROW = 1024,  /* may lose bits of integers above 2^24 */
    SHORT = 4096,   /* may lose bits of block numbers above 2^12 (struct named) */
    DOUBLES = 2048, /* sums 32-bit integers, perhaps as doubles */
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
    NAMED /* the generator chooses, from the integers in the kernel's PTX */,
    SPECIAL /* the generator chooses; it makes at most one case per pack of special values (special.h) */,
    ANY /* the generator chooses */
};
struct case_row {
    const char *name; /* name of the row, which also seeds its random stream */
    unsigned sets;    /* bit mask of the sets that include the row */
    unsigned traits;  /* bit mask of the traits that a kernel must have */
    enum case_blocks blocks;
    case_maker *make;
    const struct sizes *sizes;
    enum data_kind data;
    /* The share of cases that is drawn. thorough: for the lab's first variant, for one that the seed selects, for that
     * of WIDER_EXACT in rows with NAMED, and for the only one in rows of FIRST_EXACT; in_order: for other variants that
     * do not commute; others: for all remaining variants. */
    enum case_share thorough, in_order, others;
    /* The variants that get cases. FIRST_VARIANT: only the lab's first. FIRST_EXACT: only the first whose results
     * are exact for any number of elements; if the kernel keeps operands in order, preferably one that does not
     * commute. FEW_VARIANTS: these two and one that the seed selects. WIDER_EXACT: one that the seed selects from
     * the integer variants with more bytes than FIRST_EXACT; it selects an operand if and only if FIRST_EXACT does.
     * LONG_SUM: the sum of 64-bit integers. */
    enum { EVERY_VARIANT, FIRST_VARIANT, FIRST_EXACT, FEW_VARIANTS, WIDER_EXACT, LONG_SUM } of;
    /* If `sets` includes CASES_MEASURED: the share of the row's cases that is measured, if they are drawn. 0 is ALL. */
    enum case_share measured_thorough, measured_in_order, measured_others;
};
extern const struct case_row case_rows[];
extern const unsigned case_row_count;

#endif
