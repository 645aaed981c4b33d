/* What became of each element in a wrong result, found by experiment: the case runs again on elements that reveal it.
 * Sums: each element is a digit of a number. Operators that select: one winning element at a time. Operators that do
 * not commute: maps whose product shows how many elements follow each. */
#ifndef JUDGE_FATE_H
#define JUDGE_FATE_H

#include "judge/judge.h"

/* For pairs, if each element alone is handled correctly: what goes wrong between two, `first` before `second` in the
   input. */
enum fate_pair {
    FATE_PAIRS_RIGHT,
    FATE_NO_SUCH_PAIR, /* the value of `first` was returned with another index */
    FATE_TIE,          /* both have the winning value: the higher index was returned */
    FATE_NAN_LOST,     /* `first` is a NaN */
    FATE_NAN_TIE,      /* both are NaNs: the higher index was returned */
    FATE_IDENTITY_LOST /* all have the value of identity(), which was returned */
};
struct fate {
    struct variant variant; /* of the case */
    uint32_t n;             /* elements of the launch */
    bool counted;           /* count[] is known */
    int32_t *count;         /* [n]: how often each element is in the result */
    uint32_t *order;        /* [n]: the elements in the order in which they were combined; NULL: unknown, or
                               irrelevant */
    bool extra;             /* if all elements are identity(), the result is `rest` */
    bool combined;          /* `rest` behaves like one more operand, whatever the elements are */
    bool faulty;            /* there, accesses fail, which read 0 */
    union value rest;
    enum fate_pair pair;
    uint32_t first, second;
};
/* Finds the fate of the elements in launch `launch` (FINISH_ITSELF: 1 or more; else 0) of c, which was wrong. If an
 * experiment is inconsistent, or would take too long, the result is unknown. fate_free() it. */
void fate_find(const struct judge *j, const struct grade_case *c, unsigned launch, struct fate *f);
void fate_free(struct fate *f);
bool fate_is_known(const struct fate *f); /* whether it explains a wrong result */

#endif
