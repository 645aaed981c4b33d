/* A kernel runs several times back to back in one module. This file makes the second and later runs. Each run has its
 * own numbers of elements, threads and blocks, which are sometimes those of the previous run, and different elements at
 * the same address. So state that a run leaves behind affects larger and smaller runs, and a cached result is wrong
 * whatever its key is. */
#ifndef JUDGE_CASE_AGAIN_H
#define JUDGE_CASE_AGAIN_H

#include "judge/judge.h"

/* Run k of the case. Run 0 is the case itself; the others have at most as many elements. */
struct grade_case case_launch(const struct grade_case *c, unsigned k);
/* The number of sets of elements for that many runs; run k uses set k % case_sets(). */
unsigned case_sets(const struct grade_case *c, unsigned repeats);
/* Makes set k (1 or more) from the previous set `before`; both have c->n elements. One random element changes, or all
 * do. If the values are given (c->values), only one changes. `now` may be `before`. */
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now);
/* Makes the c->n elements that run k uses. */
void case_set(const struct grade_case *c, unsigned k, void *array);

#endif
