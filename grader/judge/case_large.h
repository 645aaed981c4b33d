/* Cases of many elements. Past 2^23 the data repeat: a few thousand elements stand for all, and what they come to is
 * computed by arithmetic on the period. Past 2^26 the simulator runs a sample of a launch's blocks, with the numbers
 * and sizes of the whole launch, so that an index that is too narrow shows:
 *
 *   a kernel of segments    the blocks of the sample alone; each one's partial is that of its segment
 *   a grid-stride kernel    the others run, too, but on no elements (n = 0): the total is that of the sample's share.
 *                           How blocks share the input out is theirs to choose: usual ways are tried, and for a
 *                           kernel that fits none a whole run of some seconds decides
 *   a launch a level        one of the last levels, whole */
#ifndef JUDGE_CASE_LARGE_H
#define JUDGE_CASE_LARGE_H

#include "judge/judge.h"

#define CASE_MOST_N (UINT32_C(1) << 31)
#define CASE_MOST_WHOLE (UINT32_C(1) << 26) /* elements; cases of more are sampled */
bool case_repeats(const struct grade_case *c);
bool case_is_sampled(const struct grade_case *c); /* by n */
/* However many elements there are, in any order: no sum or product of floats. */
bool variant_is_exact(struct variant v);
/* A kernel of several blocks whose launches are known to pass n last: blocks outside of the sample are given 0 for it.
 */
bool case_kernel_is_sampled(const struct lab_kernel *k);
/* Such a kernel, of such a variant. */
bool case_may_be_sampled(const struct grade_case *c);
/* Elements that repeat, 0: none do; elements that are drawn: the period, and c->n % period more, which are the last
 * ones. */
uint32_t case_period(const struct grade_case *c);
uint32_t case_given(const struct grade_case *c);
enum { CASE_SAMPLE = 8 };
/* Blocks of the sample, rising; how many: at least 1. */
unsigned case_sample(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE]);
/* Elements [from, to) of the case combined in order; data: its case_given() elements. No rounded data. */
union value case_range(const struct grade_case *c, const void *data, uint64_t from, uint64_t to);
/* A sample whose values fit no usual way may still be right: a whole run decides. Not where the contract says which
 * elements are whose. */
bool case_may_share_otherwise(const struct grade_case *c);
/* Can value number k that is read of the sample be `got`? *expected: what it should be, where blocks may choose the
 * plainest; *place: of segments and pairs, the output's element. */
bool case_sample_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place);

#endif
