/* Cases with many elements. Beyond 2^23 elements the data are periodic, with a prime period, from which the expected
 * result is computed. Beyond 2^26 elements the simulator runs only a sample of a launch's blocks, but with the indices
 * and sizes of the whole launch, so that an index that is too narrow shows:
 *
 *   kernel with segments   only the sampled blocks run; each writes the partial of its segment
 *   grid-stride kernel     all blocks run, but the others get n = 0, so the total is that of the sampled blocks. Blocks
 * may distribute the input in any way: if the result matches none of the common ways, all blocks run, which takes a few
 * seconds one launch per level   one of the last levels runs as a whole */
#ifndef JUDGE_CASE_LARGE_H
#define JUDGE_CASE_LARGE_H

#include "judge/judge.h"

#define CASE_MOST_N (UINT32_C(1) << 31)
#define CASE_MOST_WHOLE (UINT32_C(1) << 26) /* in larger cases, only some blocks run */
bool case_repeats(const struct grade_case *c);
bool case_is_sampled(const struct grade_case *c); /* whether n is large enough */
/* Returns whether results are exact for any number of elements in any order. Float sums and products are not, unless
 * the elements are halves. */
bool case_is_exact(const struct lab_kernel *k, struct variant v);
/* Returns whether the kernel runs on several blocks and its last argument is n, so that blocks outside of the sample
 * can get 0 instead of n. */
bool case_kernel_is_sampled(const struct lab_kernel *k);
/* Returns whether the kernel can be sampled and the variant is exact. */
bool case_may_be_sampled(const struct grade_case *c);
/* case_period() returns the period of the data, or 0. case_given() returns the number of drawn elements: the period,
 * plus the c->n % period last elements. */
uint32_t case_period(const struct grade_case *c);
uint32_t case_given(const struct grade_case *c);
enum { CASE_SAMPLE = 8 };
/* Stores the sampled blocks in ascending order and returns their number, at least 1. */
unsigned case_sample(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE]);
/* Returns elements [from, to) of the case, combined in order. data: the case_given() elements. Not for data whose sum
 * is rounded. */
union value case_range(const struct grade_case *c, const void *data, uint64_t from, uint64_t to);
/* Returns whether a sample that matches no common distribution may still be correct, so that a whole run must decide.
 * False if the contract defines which block takes which elements. */
bool case_may_share_otherwise(const struct grade_case *c);
/* Returns whether `got` can be value k that is read from the sample. Sets *expected to the correct value, or to the
 * simplest of several possible ones, and, for segments and pairs, *place to its index in the output. */
bool case_sample_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place);

#endif
