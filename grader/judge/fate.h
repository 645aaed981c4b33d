/* Finds what happened to each element in a wrong result (its fate): whether the element is missing, counted several
 * times, or out of order. Also finds values in the result that are not elements, and pairs of operands from which the
 * kernel selects the wrong one.
 *
 * Experiments run the case again with elements that reveal their fate. For sums, each element is a digit of a number.
 * For operators that select an operand, one element at a time is the best. For operators that do not commute, the
 * elements are maps; their composition shows how many elements follow each element. */
#ifndef JUDGE_FATE_H
#define JUDGE_FATE_H

#include "judge/judge.h"

/* Mistakes in comparisons of pairs. Element `first` precedes element `second` in the input. */
enum fate_pair {
    FATE_PAIRS_RIGHT,
    FATE_NO_SUCH_PAIR, /* the result has the value of `first` with a different index */
    FATE_TIE,          /* both have the winning value, and the one with the higher index was returned */
    FATE_NAN_LOST,     /* `first` is a NaN, which was lost */
    FATE_NAN_TIE,      /* both are NaNs, and the one with the higher index was returned */
    FATE_LARGE_TIE,    /* like FATE_TIE, but only if indices are large */
    FATE_ROUNDED,      /* `second` has a better value; as a float, it is rounded to the value of `first` */
    FATE_DIFFERENCE,   /* value `wins` wins against identity(), but the better value `loses` loses */
    FATE_IDENTITY_LOST /* all elements have the value of identity(), and identity() was returned instead of an element
                        */
};
/* For an operator that selects an operand: the element that the kernel returns instead of the right one. */
enum fate_winner {
    FATE_ANY_WINNER, /* an element that follows no known rule */
    FATE_IDENTITY,   /* identity(), in all experiments */
    FATE_WORST       /* the element that should lose to all others, in all experiments */
};
struct fate {
    struct variant variant; /* variant of the case */
    uint32_t n;             /* elements of the launch */
    bool counted;           /* whether count[] is known */
    int32_t *count;         /* how many times the result contains each of the n elements */
    uint32_t *order;        /* the elements in the order in which they were combined; NULL if unknown or irrelevant */
    bool extra;             /* if all elements are identity(), the result is `rest` instead */
    bool shifted;           /* `rest` is identity() if the input begins at a multiple of 256 bytes */
    bool combined;          /* `rest` behaves like one more operand */
    bool faulty;            /* accesses in the run failed and returned 0 */
    bool disturbed;         /* the run has other errors, such as a shuffle that reads an absent lane */
    union value rest;
    enum fate_winner winner; /* meaningful only if the operator selects an operand, and no element is counted */
    enum fate_pair pair;
    uint32_t first, second;
    int32_t wins, loses;
};
/* Finds the fate of the elements in a launch of c that had a wrong result. `launch` counts from 1 for FINISH_ITSELF,
 * and is 0 otherwise. The fate is unknown if an experiment is inconsistent or would take too long, if the results are
 * arrays, or for a student's own operator. Call fate_free() afterward. */
void fate_find(const struct judge *j, const struct grade_case *c, unsigned launch, struct fate *f);
void fate_free(struct fate *f);
bool fate_is_known(const struct fate *f); /* whether the fate explains the wrong result */

#endif
