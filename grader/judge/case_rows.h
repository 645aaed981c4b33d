/* The table of cases that checks run: each row a generator, the sets that it is part of, and how much of it is drawn.
 * Another set, or other cases of one, are another row of case_rows.c. */
#ifndef JUDGE_CASE_ROWS_H
#define JUDGE_CASE_ROWS_H

#include "judge/immediates.h"
#include "judge/special.h"

/* Blocks of a grid-stride kernel: drawn from stratum k, counted round. */
uint32_t case_grid(unsigned k, uint64_t random);

/* n = times * unit + plus, or drawn from there up to to_times * unit + to_plus; the unit is the generator's. */
struct size {
    int times, plus, to_times, to_plus;
};
struct sizes {
    unsigned count;
    const struct size *row;
};
/* The k-th case of a row: fills in n, grid and offset of c, whose other members are there (`block` unless the row says
 * ANY). What it draws comes of `random` and k, so that it is the same whichever others are drawn. The file's choice is
 * there for kernels that have one, the integers that the kernel names for NAMED blocks, special values for SPECIAL
 * ones. False: there are no more. */
struct maker {
    const struct sizes *sizes;
    uint64_t random;
    const struct tuning *tuning;
    const struct immediates *named; /* in the kernel */
    const struct specials *specials;
};
typedef bool case_maker(const struct maker *m, unsigned k, struct grade_case *c);

/* What a kernel has to be for a row. */
enum case_trait {
    ORDERED = 1, /* by chunks */
    GRID_STRIDE = 2,
    ANY_START = 4,
    TUNED = 8,
    ANY_N_IN_A_BLOCK = 16,
    ONE_LAUNCH = 32, /* FINISH_ITSELF */
    MANY_BLOCKS = 64 /* any n, and results that are no arrays */,
    MANY_LANES = 128, /* of one block, which share the elements out */
    STATE = 256       /* its module has variables, in which a launch can leave something for the next one */
};
unsigned case_traits(const struct lab_kernel *kernel);
/* How much of what a generator gives is drawn. */
enum case_share { ALL, QUARTER /* and one surely */, EIGHTH, ONE };
enum case_blocks {
    DRAWN /* of all sizes */,
    WARP,
    WIDEST /* that the kernel takes */,
    CHOSEN /* by the file */,
    NAMED /* by the generator, which goes by the integers that the kernel names */,
    SPECIAL /* by the generator, a case for each pack of special values */,
    ANY /* by the generator */
};
struct case_row {
    const char *name; /* of its random stream */
    unsigned sets;    /* of checks' cases that it is part of */
    unsigned traits;  /* the kernel's */
    enum case_blocks blocks;
    case_maker *make;
    const struct sizes *sizes;
    enum data_kind data;
    /* Of the lab's first variant and one that the seed picks; of those whose operands stay in order; of the others. */
    enum case_share thorough, in_order, others;
    /* For the lab's own first variant alone; for its first one that is exact however many elements there are. */
    enum { EVERY_VARIANT, FIRST_VARIANT, FIRST_EXACT } of;
};
extern const struct case_row case_rows[];
extern const unsigned case_row_count;

#endif
