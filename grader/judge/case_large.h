/* Cases with many elements. Beyond 2^23 elements the data repeat with a prime period, from which the expected result is
 * computed. Beyond 2^26 elements the simulator runs only a sample of a launch's blocks, with the indices and sizes of
 * the whole launch, so that an index that is too narrow shows:
 *
 *   a kernel of segments    only the sampled blocks run; each writes the partial of its segment
 *   a grid-stride kernel    the other blocks run too, but get n = 0, so the total is that of the sampled blocks' share.
 *                           Blocks may distribute the input in any way: if the result fits none of the common ways, a
 *                           whole run of a few seconds decides
 *   a launch per level      one of the last levels runs as a whole */
#ifndef JUDGE_CASE_LARGE_H
#define JUDGE_CASE_LARGE_H

#include "judge/judge.h"

#define CASE_MOST_N (UINT32_C(1) << 31)
#define CASE_MOST_WHOLE (UINT32_C(1) << 26) /* elements; in larger cases only some blocks run */
bool case_repeats(const struct grade_case *c);
bool case_is_sampled(const struct grade_case *c); /* by n */
/* Whether results are exact for any number of elements in any order. Float sums and products are not, unless their
 * elements are halves. */
bool case_is_exact(const struct lab_kernel *k, struct variant v);
/* Whether it is a kernel of several blocks whose last argument is known to be n. Blocks outside of the sample get 0
 * instead of n. */
bool case_kernel_is_sampled(const struct lab_kernel *k);
/* Whether both hold: the kernel can be sampled, and the variant is exact. */
bool case_may_be_sampled(const struct grade_case *c);
/* The period of the data, or 0. The number of drawn elements: the period, plus c->n % period last elements. */
uint32_t case_period(const struct grade_case *c);
uint32_t case_given(const struct grade_case *c);
enum { CASE_SAMPLE = 8 };
/* Gets the sampled blocks in ascending order. Returns their number, at least 1. */
unsigned case_sample(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE]);
/* Elements [from, to) of the case, combined in order; data: the case_given() elements. Not for data whose sum is
 * rounded. */
union value case_range(const struct grade_case *c, const void *data, uint64_t from, uint64_t to);
/* Whether a sample that fits no common distribution may still be correct, so that a whole run decides. False if the
 * contract says which block takes which elements. */
bool case_may_share_otherwise(const struct grade_case *c);
/* Whether `got` can be value number k that is read from the sample. *expected: the correct value, or the simplest of
 * several possible ones; *place: for segments and pairs, the index in the output. */
bool case_sample_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place);

#endif
