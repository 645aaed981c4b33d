/* Finds out what happened to each element in a wrong result (its fate). This takes experiments: the case runs again on
 * elements chosen to reveal it. For sums, each element is a digit of a number. For operators that select one operand,
 * one element at a time wins. For operators that do not commute, the elements are maps whose product shows how many
 * elements follow each one. */
#ifndef JUDGE_FATE_H
#define JUDGE_FATE_H

#include "judge/judge.h"

/* What goes wrong between two pairs if each pair alone is handled correctly. `first` precedes `second` in the input. */
enum fate_pair {
    FATE_PAIRS_RIGHT,
    FATE_NO_SUCH_PAIR, /* the result has the value of `first` with another index */
    FATE_TIE,          /* both have the winning value, and the higher index was returned */
    FATE_NAN_LOST,     /* `first` is a NaN and was lost */
    FATE_NAN_TIE,      /* both are NaNs, and the higher index was returned */
    FATE_IDENTITY_LOST /* all elements have the value of identity(), and identity() was returned */
};
/* What an operator that selects an operand returns if the element that should win never does. */
enum fate_winner {
    FATE_ANY_WINNER, /* no law is known */
    FATE_IDENTITY,   /* identity(), always */
    FATE_WORST       /* the element that should lose against all others, always */
};
struct fate {
    struct variant variant; /* the case's variant */
    uint32_t n;             /* elements of the launch */
    bool counted;           /* whether count[] is known */
    int32_t *count;         /* [n]: how often the result contains each element */
    uint32_t *order; /* [n]: the elements in the order in which they were combined; NULL if unknown or irrelevant */
    bool extra;      /* if all elements are identity(), the result is `rest` */
    bool combined;   /* `rest` behaves like one more operand, whatever the elements are */
    bool faulty;     /* accesses failed in that run, and read 0 */
    union value rest;
    enum fate_winner winner; /* if an operator selects, and count[] is 0 for all elements */
    enum fate_pair pair;
    uint32_t first, second;
};
/* Finds the fate of the elements in launch `launch` of c, whose result was wrong. For FINISH_ITSELF, `launch` counts
 * from 1; otherwise it is 0. If an experiment is inconsistent or would take too long, the fate is unknown. Call
 * fate_free() afterward. */
void fate_find(const struct judge *j, const struct grade_case *c, unsigned launch, struct fate *f);
void fate_free(struct fate *f);
bool fate_is_known(const struct fate *f); /* whether the fate explains a wrong result */

#endif
