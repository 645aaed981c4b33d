/* Cases with many elements. Beyond 2^23 the data repeat: a few thousand elements represent all, and the expected result
 * is computed from the period. Beyond 2^26 the simulator runs a sample of a launch's blocks, with the indices and sizes
 * of the whole launch, so that an index that is too narrow shows:
 *
 *   a kernel of segments    only the sampled blocks; each one's partial is that of its segment
 *   a grid-stride kernel    the others run, too, but on no elements (n = 0): the total is that of the sample's share.
 *                           Blocks may distribute the input in any way: common ways are tried, and for a
 *                           kernel that fits none a whole run of a few seconds decides
 *   a launch per level        one of the last levels, whole */
#ifndef JUDGE_CASE_LARGE_H
#define JUDGE_CASE_LARGE_H

#include "judge/judge.h"

#define CASE_MOST_N (UINT32_C(1) << 31)
#define CASE_MOST_WHOLE (UINT32_C(1) << 26) /* elements; larger cases are sampled */
bool case_repeats(const struct grade_case *c);
bool case_is_sampled(const struct grade_case *c); /* by n */
/* For any number of elements, in any order: not a float sum or product, unless its elements are halves. */
bool case_is_exact(const struct lab_kernel *k, struct variant v);
/* A kernel of several blocks whose launches are known to pass n last: blocks outside of the sample get 0 instead. */
bool case_kernel_is_sampled(const struct lab_kernel *k);
/* Such a kernel, with such a variant. */
bool case_may_be_sampled(const struct grade_case *c);
/* The period of the data, or 0; the number of drawn elements: the period, plus c->n % period, which are the last
 * ones. */
uint32_t case_period(const struct grade_case *c);
uint32_t case_given(const struct grade_case *c);
enum { CASE_SAMPLE = 8 };
/* The sampled blocks, ascending; returns their number: at least 1. */
unsigned case_sample(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE]);
/* Elements [from, to) of the case combined in order; data: its case_given() elements. Not for rounded data. */
union value case_range(const struct grade_case *c, const void *data, uint64_t from, uint64_t to);
/* A sample whose values fit no common distribution may still be correct: a whole run decides. Not if the contract
 * assigns the elements. */
bool case_may_share_otherwise(const struct grade_case *c);
/* Whether value number k read from the sample can be `got`. *expected: the correct value, or the simplest one if blocks
 * may choose; *place: of segments and pairs, the output's element. */
bool case_sample_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place);

#endif
