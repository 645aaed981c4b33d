/* Cases with special values: constants in the kernel's PTX, their neighbors, and limits of the type. For example, a
 * kernel with `if (x == 77)` treats 77 as a special case. It gets 77 at a random position, which makes its result
 * wrong.
 *
 * A case has several special values only if each affects the result. In an integer sum, all elements do; in a minimum,
 * only the smallest. Other cases have elements that differ in one bit, or two values, the first of which seems to
 * decide the result. */
#ifndef JUDGE_SPECIAL_H
#define JUDGE_SPECIAL_H

#include "judge/judge.h"

enum {
    SPECIAL_MAX = 400,    /* values per variant */
    SPECIAL_LARGEST = 16, /* values per case; so few that each is often among the first elements of a thread */
    SPECIAL_MAX_N = 4096  /* elements per case */
};
/* How the values of a pack are placed. */
enum special_way {
    SPECIAL_ANYWHERE,   /* each value once, at a random place among ordinary elements */
    SPECIAL_EVERYWHERE, /* all elements have the value; indices decrease, so the last element wins */
    SPECIAL_NEAR,  /* min and max: one element has the first value. The others have the second, which loses and differs
                      in one bit. If the values are indices, the others also differ in lower bits, because indices are
                      unique */
    SPECIAL_APART, /* the first value and, as many whole rounds later as possible, the second */
    SPECIAL_ADJACENT /* the first value and, right after it, the second */
};
struct special_pack {
    unsigned first, count; /* `count` values of the pool, from index `first` on */
    bool named;            /* the kernel contains these values; otherwise, every kernel of this type gets them */
    bool own;              /* the kernel contains at least one of these values in this variant, but not in the lab's
                              first variant */
    bool index;            /* the value is the index of a pair */
    enum special_way way;
};
struct specials {
    unsigned count, packs;
    union value value[SPECIAL_MAX];
    struct special_pack pack[SPECIAL_MAX];
};
/* Finds the special values for the submission's kernel in this variant. They do not depend on the cases that are
 * drawn. */
void specials_of(const struct judge *j, const struct lab_kernel *kernel, struct variant v, struct specials *out);
/* Generates the elements of c with pack c->special - 1. Returns false if there is no such pack, if n is too small, or
 * if out of memory. */
bool special_fill(const struct judge *j, const struct specials *s, struct grade_case *c);
/* For a case that was parsed from its name: sets `named` and, if the case has special values, generates its elements.
 * Returns false on failure. */
bool special_complete(const struct judge *j, struct grade_case *c);

#endif
