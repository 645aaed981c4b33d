/* Cases with special values: the constants in the kernel's PTX, their neighbors, and the limits of the type. For
 * example, a kernel that treats 77 differently, with `if (x == 77)`, gets 77 at a random position, which makes its
 * result wrong. A case contains several special values only if each of them affects the result. For an integer sum, all
 * elements do; for a minimum, only the smallest. Other cases have elements that differ in one bit, or two values of
 * which the first seems to decide the result. */
#ifndef JUDGE_SPECIAL_H
#define JUDGE_SPECIAL_H

#include "judge/judge.h"

enum {
    SPECIAL_MAX = 400, /* maximum number of values per variant */
    SPECIAL_LARGEST =
        16, /* maximum number of values per case, low enough that each is often among the first elements of a thread */
    SPECIAL_MAX_N = 4096 /* maximum number of elements per case */
};
/* How the values of a pack are placed. */
enum special_way {
    SPECIAL_ANYWHERE,   /* each value once, at random places among ordinary elements */
    SPECIAL_EVERYWHERE, /* all elements have the value; indices decrease, so that the last element wins */
    SPECIAL_NEAR,    /* operators that select an operand: one element has the first value. The others have the second,
                        which loses and differs in one bit. If the values are indices, the others also differ in lower
                        bits, because indices are unique */
    SPECIAL_APART,   /* the first value, and the second one as many whole rounds later as possible */
    SPECIAL_ADJACENT /* the first value, and the second one right after it */
};
struct special_pack {
    unsigned first, count; /* the pack has `count` values of the pool, starting with number `first` */
    bool named; /* whether the kernel contains these values; otherwise, every kernel of this type is tested with them */
    bool own;   /* whether the kernel contains these values in this variant, but not in the lab's first variant */
    bool index; /* whether the value is the index of a pair */
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
/* Generates the elements of a case that was parsed from its name, if they are special. Returns false if that fails. */
bool special_complete(const struct judge *j, struct grade_case *c);

#endif
