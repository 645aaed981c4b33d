/* Generates the second and later runs of a kernel that runs several times back to back in one module. Each run has its
 * own number of elements, threads and blocks, which are sometimes those of the previous run, and different elements at
 * the same address. State left behind by a run therefore affects both larger and smaller runs, and a cached result is
 * wrong whatever its key is. */
#ifndef JUDGE_CASE_AGAIN_H
#define JUDGE_CASE_AGAIN_H

#include "judge/judge.h"

/* Returns run k of the case. Run 0 is the case itself; later runs have at most as many elements. */
struct grade_case case_launch(const struct grade_case *c, unsigned k);
/* Returns the number of sets of elements for `repeats` runs. Run k uses set k % case_sets(). */
unsigned case_sets(const struct grade_case *c, unsigned repeats);
/* Makes set k >= 1 of c->n elements from the previous set `before`. Changes one random element or all of them; only one
 * if the values are given (c->values). `now` may equal `before`. */
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now);
/* Generates the c->n elements that run k uses. */
void case_set(const struct grade_case *c, unsigned k, void *array);

#endif
