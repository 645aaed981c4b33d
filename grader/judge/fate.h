/* What became of each element in a wrong result, by experiment: the case runs again on elements whose result shows it.
 * Sums: digits of a number, each its own element. Operators that choose: one element at a time that wins. Operators
 * that do not commute: maps whose product shows how many come behind each. */
#ifndef JUDGE_FATE_H
#define JUDGE_FATE_H

#include "judge/judge.h"

/* Of pairs, where each element alone comes through: what goes wrong between two, `first` before `second` in the input.
 */
enum fate_pair {
    FATE_PAIRS_RIGHT,
    FATE_NO_SUCH_PAIR, /* the value of `first` came out with another index */
    FATE_TIE,          /* both have the value that wins: the higher index came out */
    FATE_NAN_LOST,     /* `first` is a NaN */
    FATE_NAN_TIE,      /* both are: the higher index came out */
    FATE_IDENTITY_LOST /* all have the value of identity(), which came out */
};
struct fate {
    struct variant variant; /* of the case */
    uint32_t n;             /* elements that the launch was given */
    bool counted;           /* count[] is known */
    int32_t *count;         /* [n]: how often each element is in the result */
    uint32_t *order;        /* [n]: the elements as they were combined; NULL: not known, or no matter */
    bool extra;             /* if all elements are identity(), the result is `rest` */
    union value rest;
    enum fate_pair pair;
    uint32_t first, second;
};
/* Of launch `launch` (FINISH_ITSELF: 1 or more; else 0) of c, which came out wrong. Where an experiment does not agree
 * with itself, or would take too long, nothing is known. fate_free() it. */
void fate_find(const struct judge *j, const struct grade_case *c, unsigned launch, struct fate *f);
void fate_free(struct fate *f);
bool fate_is_known(const struct fate *f); /* it explains a wrong result */

#endif
