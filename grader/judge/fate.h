/* What became of each element in a wrong result. This is found by experiment: the case runs again on elements that
 * reveal it. For sums, each element is a digit of a number. For operators that select one operand, one element at a
 * time wins. For operators that do not commute, the elements are maps whose product shows how many elements follow each
 * one. */
#ifndef JUDGE_FATE_H
#define JUDGE_FATE_H

#include "judge/judge.h"

/* For pairs, if each element alone is handled correctly: what goes wrong between two elements. `first` stands before
 * `second` in the input. */
enum fate_pair {
    FATE_PAIRS_RIGHT,
    FATE_NO_SUCH_PAIR, /* the value of `first` was returned with another index */
    FATE_TIE,          /* both have the winning value: the higher index was returned */
    FATE_NAN_LOST,     /* `first` is a NaN */
    FATE_NAN_TIE,      /* both are NaNs: the higher index was returned */
    FATE_IDENTITY_LOST /* all elements have the value of identity(), and identity() was returned */
};
struct fate {
    struct variant variant; /* the case's variant */
    uint32_t n;             /* elements of the launch */
    bool counted;           /* count[] is known */
    int32_t *count;         /* [n]: how often each element is in the result */
    uint32_t *order;        /* [n]: the elements in the order in which they were combined; NULL: unknown, or
                               irrelevant */
    bool extra;             /* if all elements are identity(), the result is `rest` */
    bool combined;          /* `rest` behaves like one more operand, independent of the elements */
    bool faulty;            /* accesses failed in that run; they read 0 */
    union value rest;
    enum fate_pair pair;
    uint32_t first, second;
};
/* Finds the fate of the elements in launch `launch` of c, whose result was wrong (FINISH_ITSELF: from 1; else 0). If an
 * experiment is inconsistent, or would take too long, the fate is unknown. fate_free() it. */
void fate_find(const struct judge *j, const struct grade_case *c, unsigned launch, struct fate *f);
void fate_free(struct fate *f);
bool fate_is_known(const struct fate *f); /* whether the fate explains a wrong result */

#endif
