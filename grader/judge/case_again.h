/* Generates the second and later runs of a kernel that runs several times back to back in one module. Each run draws
 * new numbers of threads and blocks and, every second run, of elements. One run in four repeats the sizes of the
 * previous run, and so do all runs of a large case or of one with `wrap`. With DATA_TURNS, every second run repeats the
 * first, with another kind of values, and the runs between have at most M elements and one block or cluster. The
 * elements differ from run to run. In some cases, the input of some runs is at another address. State that a run leaves
 * behind therefore affects both larger and smaller runs, and a kernel that caches results fails with any cache key. */
#ifndef JUDGE_CASE_AGAIN_H
#define JUDGE_CASE_AGAIN_H

#include "judge/judge.h"

/* The value of `wrap` with which only the first launch has elements for all blocks, and the others for one block. If a
 * kernel marks partials with the low bits of the launch's number, an old mark then meets the same number again. */
enum { CASE_SHRINKS = 7 };
/* Returns run k of the case. Run 0 is the case itself; later runs have no more elements than run 0. */
struct grade_case case_launch(const struct grade_case *c, unsigned k);
/* Returns whether the input of some runs is at another address than that of run 0. The first such run is run 1. */
bool case_moves(const struct grade_case *c);
/* Returns the number of different sets of elements for `repeats` runs. Run k uses set k % case_sets(). */
unsigned case_sets(const struct grade_case *c, unsigned repeats);
/* Derives set k >= 1 of c->n elements from the previous set, `before`. Changes either all elements, or a single random
 * element among those that run k uses. In a large case, changes all only if a change of the single element would not
 * affect the total. If the elements are given (c->values), changes none in that case. `now` may equal `before`. */
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now);
/* Generates the set of c->n elements that run k uses. */
void case_set(const struct grade_case *c, unsigned k, void *array);

#endif
