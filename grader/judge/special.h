/* Cases of special values: the numbers that the kernel itself names in its PTX, their neighbors, and the ends of the
 * type. `if (x == 77)` meets 77 at a drawn place, and a result that shows it. What cannot be told apart in one result
 * is in different cases: of a minimum one value a case, which is the least; of integers that are added all in one. */
#ifndef JUDGE_SPECIAL_H
#define JUDGE_SPECIAL_H

#include "judge/judge.h"

enum {
    SPECIAL_MOST = 400,   /* values of a variant */
    SPECIAL_LARGEST = 16, /* values of one case: few, so that each is often among the first that a thread meets */
    SPECIAL_MOST_N = 4096 /* elements of one */
};
struct special_pack {
    unsigned first, count; /* values of the pool that the case holds together */
    bool named;            /* the kernel names it; else it is of every kernel of this type */
    bool own;              /* and not in the lab's first variant */
    bool index;            /* of pairs: the value is an index */
};
struct specials {
    unsigned count, packs;
    union value value[SPECIAL_MOST];
    struct special_pack pack[SPECIAL_MOST];
};
/* Of the submission's kernel in that variant: the same whichever cases are drawn. */
void specials_of(const struct judge *j, const struct lab_kernel *kernel, struct variant v, struct specials *out);
/* The elements of c, whose number c->special - 1 is that of a pack. False: there is no such pack, or no memory, or n is
 * too small to hold it. */
bool special_fill(const struct judge *j, const struct specials *s, struct grade_case *c);
/* The same of a case that was read from its name. */
bool special_complete(const struct judge *j, struct grade_case *c);

#endif
