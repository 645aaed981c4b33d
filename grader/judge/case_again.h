/* The second and later runs of a kernel that runs several times back to back in one module: each has its own numbers of
 * elements, threads and blocks, sometimes those of the previous run, and different elements at the same address. So
 * state that a run leaves behind affects larger and smaller runs; and a cached result is wrong, whatever its key. */
#ifndef JUDGE_CASE_AGAIN_H
#define JUDGE_CASE_AGAIN_H

#include "judge/judge.h"

/* Run k of the case: 0 is the case itself; the others have at most as many elements. */
struct grade_case case_launch(const struct grade_case *c, unsigned k);
/* The number of sets of elements for that many runs; run k uses set k % case_sets(). */
unsigned case_sets(const struct grade_case *c, unsigned repeats);
/* Set k (1 or more) from the previous set `before`, c->n elements each: one random element changes, or all do; with
 * given values (c->values), one. `now` may be `before`. */
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now);
/* The c->n elements of run k among all the case's runs. */
void case_set(const struct grade_case *c, unsigned k, void *array);

#endif
