/* Cases with special values: the numbers in the kernel's PTX, their neighbors, and the limits of the type. A kernel
 * with `if (x == 77)` gets 77 at a random position, and the result shows it. Values that one result cannot distinguish
 * are in different cases: for a minimum one value per case, the smallest; for integer sums all in one. */
#ifndef JUDGE_SPECIAL_H
#define JUDGE_SPECIAL_H

#include "judge/judge.h"

enum {
    SPECIAL_MOST = 400,   /* values per variant */
    SPECIAL_LARGEST = 16, /* values per case: few, so that each is often among a thread's first */
    SPECIAL_MOST_N = 4096 /* elements per case */
};
struct special_pack {
    unsigned first, count; /* values of the pool in the same case */
    bool named;            /* used by the kernel; otherwise for every kernel of this type */
    bool own;              /* and not in the lab's first variant */
    bool index;            /* for pairs: the value is an index */
};
struct specials {
    unsigned count, packs;
    union value value[SPECIAL_MOST];
    struct special_pack pack[SPECIAL_MOST];
};
/* For the submission's kernel in that variant: independent of which cases are drawn. */
void specials_of(const struct judge *j, const struct lab_kernel *kernel, struct variant v, struct specials *out);
/* The elements of c, for pack number c->special - 1. False: no such pack, out of memory, or n is too small. */
bool special_fill(const struct judge *j, const struct specials *s, struct grade_case *c);
/* The same for a case parsed from its name. */
bool special_complete(const struct judge *j, struct grade_case *c);

#endif
