/* Generates the later runs of a kernel that runs several times in one module. State that a run leaves behind must
 * not affect later runs, whether they are larger or smaller.
 *
 * The numbers of threads and blocks are drawn for each run, and the number of elements for every second run. One run in
 * four repeats the sizes of the run before, as do all runs of a large case or of one with `wrap` (other than
 * CASE_SHRINKS). With DATA_TURNS, every second run repeats the first, with a different kind of values. The runs between
 * them have at most M elements and one block or cluster.
 *
 * The elements differ from run to run, and in some cases the input of some runs has a different address. A kernel that
 * caches results therefore fails, whatever its cache key is. */
#ifndef JUDGE_CASE_AGAIN_H
#define JUDGE_CASE_AGAIN_H

#include "judge/judge.h"

/* A value of `wrap`: only the first launch has elements for all blocks, and later launches have elements for one
 * block. A kernel may mark partials with the low bits of the launch's number. Then a later launch with the same bits
 * meets an old mark. */
enum { CASE_SHRINKS = 7 };
/* Returns run k of the case. Run 0 is the case itself. Later runs have at most as many elements. */
struct grade_case case_launch(const struct grade_case *c, unsigned k);
/* Returns whether some runs have their input at a different address than run 0. The first of these is run 1. */
bool case_moves(const struct grade_case *c);
/* Returns the number of different sets of elements in `repeats` runs. Run k uses set k % case_sets(). */
unsigned case_sets(const struct grade_case *c, unsigned repeats);
/* Derives set k >= 1 of c->n elements from the set before it, `before`. Changes all elements, or only one of those that
 * run k uses. In a large case, changes all only if changing one cannot affect the total. Of given elements (c->values),
 * changes at most one. If run k has no elements, changes none. `now` may equal `before`. */
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now);
/* Generates the set of c->n elements that run k uses. */
void case_set(const struct grade_case *c, unsigned k, void *array);

#endif
