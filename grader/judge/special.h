/* Cases with special values: the numbers in the kernel's PTX, their neighbors, and the limits of the type. A kernel
 * with `if (x == 77)` gets 77 at a random position, so its result is wrong. A case has several special values only if
 * each of them affects the result: for a minimum only one, the smallest element; for integer sums all of them. */
#ifndef JUDGE_SPECIAL_H
#define JUDGE_SPECIAL_H

#include "judge/judge.h"

enum {
    SPECIAL_MOST = 400,   /* values per variant */
    SPECIAL_LARGEST = 16, /* values per case, so few that each is often among the first elements of a thread */
    SPECIAL_MOST_N = 4096 /* elements per case */
};
struct special_pack {
    unsigned first, count; /* the pool's values in this pack */
    bool named;            /* the kernel uses them; otherwise they are for every kernel of this type */
    bool own;              /* the kernel uses them here, but not in the lab's first variant */
    bool index;            /* for pairs: the value is an index */
};
struct specials {
    unsigned count, packs;
    union value value[SPECIAL_MOST];
    struct special_pack pack[SPECIAL_MOST];
};
/* The special values for the submission's kernel in that variant. They do not depend on which cases are drawn. */
void specials_of(const struct judge *j, const struct lab_kernel *kernel, struct variant v, struct specials *out);
/* Makes the elements of c, with pack number c->special - 1. False: no such pack, out of memory, or n is too small. */
bool special_fill(const struct judge *j, const struct specials *s, struct grade_case *c);
/* Makes the elements of a case that was parsed from its name. */
bool special_complete(const struct judge *j, struct grade_case *c);

#endif
