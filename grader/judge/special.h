/* Cases with special values: the numbers in the kernel's PTX, their neighbors, and the limits of the type. For example,
 * a kernel with `if (x == 77)` gets 77 at a random position, so its result is wrong. A case has several special values
 * only if each of them affects the result: for a minimum, only the smallest element does; for an integer sum, all do.
 */
#ifndef JUDGE_SPECIAL_H
#define JUDGE_SPECIAL_H

#include "judge/judge.h"

enum {
    SPECIAL_MOST = 400,   /* values per variant */
    SPECIAL_LARGEST = 16, /* values per case, so few that each is often among the first elements of a thread */
    SPECIAL_MOST_N = 4096 /* elements per case */
};
struct special_pack {
    unsigned first, count; /* the values of the pool in this pack */
    bool named;            /* the kernel uses these values; otherwise they are for every kernel of this type */
    bool own;              /* the kernel uses these values in this variant, but not in the lab's first variant */
    bool index;            /* the value is the index of a pair */
};
struct specials {
    unsigned count, packs;
    union value value[SPECIAL_MOST];
    struct special_pack pack[SPECIAL_MOST];
};
/* Finds the special values for the submission's kernel in this variant. They do not depend on which cases are drawn. */
void specials_of(const struct judge *j, const struct lab_kernel *kernel, struct variant v, struct specials *out);
/* Generates the elements of c, with pack c->special - 1. Returns false if there is no such pack, if out of memory, or
 * if n is too small. */
bool special_fill(const struct judge *j, const struct specials *s, struct grade_case *c);
/* Generates the elements of a case that was parsed from its name. */
bool special_complete(const struct judge *j, struct grade_case *c);

#endif
