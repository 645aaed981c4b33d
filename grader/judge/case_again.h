/* What the second run of a kernel meets that runs several times back to back in one module, and the third, and so on:
 * numbers of elements, threads and blocks of its own, now and then those of the run before, and other elements at the
 * same address. So what a run has left behind meets larger and smaller ones; and a result that was kept is wrong, by
 * whatever it is known again. */
#ifndef JUDGE_CASE_AGAIN_H
#define JUDGE_CASE_AGAIN_H

#include "judge/judge.h"

/* Run k of the case: 0 is the case itself; the others have no more elements. */
struct grade_case case_launch(const struct grade_case *c, unsigned k);
/* How many sets of elements that many runs are given; run k has set k % case_sets(). */
unsigned case_sets(const struct grade_case *c, unsigned repeats);
/* Set k (1 or more) behind the set `before`, c->n elements each: one drawn element is another, or all are; of given
 * values (c->values) one. `now` may be `before`. */
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now);
/* What run k of all the case's runs is given: c->n elements. */
void case_set(const struct grade_case *c, unsigned k, void *array);

#endif
