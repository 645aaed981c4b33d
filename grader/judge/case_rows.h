/* The table of cases that checks run: each row is a generator, the sets that include it, and how much of it is drawn.
 * To add a set, or cases to one, add a row to case_rows.c. */
#ifndef JUDGE_CASE_ROWS_H
#define JUDGE_CASE_ROWS_H

#include "judge/immediates.h"
#include "judge/special.h"

/* Blocks of a grid-stride kernel: drawn from stratum k, cyclically. */
uint32_t case_grid(unsigned k, uint64_t random);

/* n = times * unit + plus, or drawn between that and to_times * unit + to_plus; the generator defines the unit. */
struct size {
    int times, plus, to_times, to_plus;
};
struct sizes {
    unsigned count;
    const struct size *row;
};
/* Generates the k-th case of a row: fills in n, grid and offset of c, whose other members are set (`block` unless the
 * row says ANY). Random choices depend only on `random` and k, so that they do not depend on which other cases are
 * drawn. The file's choice is for kernels that have one, the kernel's integers for NAMED blocks, special values for
 * SPECIAL ones. False: there are no more. */
struct maker {
    const struct sizes *sizes;
    uint64_t random;
    const struct tuning *tuning;
    const struct immediates *named; /* in the kernel */
    const struct specials *specials;
};
typedef bool case_maker(const struct maker *m, unsigned k, struct grade_case *c);

/* Which kernels a row applies to. */
enum case_trait {
    ORDERED = 1, /* by chunks */
    GRID_STRIDE = 2,
    ANY_START = 4,
    TUNED = 8,
    ANY_N_IN_A_BLOCK = 16,
    ONE_LAUNCH = 32, /* FINISH_ITSELF */
    MANY_BLOCKS = 64 /* any n, and results that are not arrays */,
    MANY_LANES = 128, /* of one block, which distribute the elements */
    STATE = 256       /* its module has variables, in which a launch can leave state for the next one */
};
unsigned case_traits(const struct lab_kernel *kernel);
/* How much of a generator's output is drawn. */
enum case_share { ALL, QUARTER /* and one always */, EIGHTH, ONE };
enum case_blocks {
    DRAWN /* of all sizes */,
    WARP,
    WIDEST /* that the kernel accepts */,
    CHOSEN /* by the file */,
    NAMED /* by the generator, from integers in the kernel */,
    SPECIAL /* by the generator, one case per pack of special values */,
    ANY /* by the generator */
};
struct case_row {
    const char *name; /* of its random stream */
    unsigned sets;    /* of checks that include it */
    unsigned traits;  /* the kernel's */
    enum case_blocks blocks;
    case_maker *make;
    const struct sizes *sizes;
    enum data_kind data;
    /* For the lab's first variant and one that the seed picks; for ordered variants; for the others. */
    enum case_share thorough, in_order, others;
    /* Only for the lab's first variant; for one that is exact for any number of elements. */
    enum { EVERY_VARIANT, FIRST_VARIANT, FIRST_EXACT } of;
};
extern const struct case_row case_rows[];
extern const unsigned case_row_count;

#endif
