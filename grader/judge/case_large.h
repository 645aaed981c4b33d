/* Cases with many elements.
 *
 * Most data (case_repeats()) are periodic beyond 2^18 elements, or beyond 2^23 for products of floats and for data
 * whose sums are rounded. The period is a prime number, and the expected result is computed from one period.
 *
 * Beyond 2^20 elements, or 2^25 if blocks depend on each other, the simulator runs only a sample of a launch's blocks
 * if it can (case_may_be_sampled()). Indices and sizes are those of the whole launch, so that an index type that is too
 * narrow causes an error:
 *
 *  kernel with segments   only the sampled blocks run; each writes the partial of its segment
 *  grid-stride kernel     only the sampled blocks run. If blocks finish the reduction together, all of them run, but
 *                         those outside the sample get n = 0. Blocks may divide the input in any way: if the result
 *                         matches none of the common ways, runs of all blocks decide, most of them with fewer
 *                         elements, which takes a few seconds
 *  one launch per level   the sampled blocks of one level run: of one of the last levels if n is 2^31, otherwise of
 *                         one of the first levels, because these have the most pairs */
#ifndef JUDGE_CASE_LARGE_H
#define JUDGE_CASE_LARGE_H

#include "judge/judge.h"

#define CASE_MAX_N (UINT32_C(1) << 31)
#define CASE_MAX_THREADS (UINT32_C(1) << 29)      /* maximum number of threads in the grid of a grid-stride kernel */
#define CASE_MAX_WHOLE (UINT32_C(1) << 26)        /* cases with more elements are always sampled */
uint32_t case_max_n(const struct lab_kernel *k);  /* maximum n in the kernel's contract */
bool case_repeats(const struct grade_case *c);    /* whether the case's data are periodic */
bool case_is_sampled(const struct grade_case *c); /* whether n is so large that only a sample of the blocks runs */
/* Returns whether results are exact for any number of elements in any order. This is false only for sums and
 * products of floats that are not halves. */
bool case_is_exact(const struct lab_kernel *k, struct variant v);
/* Returns whether a sample of the kernel's blocks can run: the kernel runs on multiple blocks, and its results are
 * not arrays. */
bool case_kernel_is_sampled(const struct lab_kernel *k);
/* Returns whether each block writes the partial of its own segment of the input, which may begin after the last
 * element. */
bool case_has_segments(const struct lab_kernel *k);
/* Returns whether a sample of the kernel's blocks can run, the data are periodic, and results are exact. */
bool case_may_be_sampled(const struct grade_case *c);
/* case_period() returns the period of the data, or 0 if they do not repeat. case_given() returns the number of
 * elements that are drawn: c->n or, for periodic data, one period and the last c->n % period elements. */
uint32_t case_period(const struct grade_case *c);
uint32_t case_given(const struct grade_case *c);
enum { CASE_NEIGHBORS = 64, CASE_NAMED = 32, CASE_SAMPLE = 16 + CASE_NEIGHBORS + CASE_NAMED };
/* Stores the block indices of the sample in ascending order. Returns their count, at least 1. */
unsigned case_sample(const struct grade_case *c, uint32_t blocks[CASE_SAMPLE]);
/* Returns how many blocks of the first launch may have elements: those of the sample, or all of them. */
uint32_t case_blocks_with_elements(const struct grade_case *c);
/* Returns whether the sample contains CASE_NEIGHBORS neighbors. */
bool case_samples_neighbors(const struct grade_case *c);
/* Returns whether no block of a grid-stride kernel depends on another, so that the sampled blocks can run alone. */
bool case_runs_sample_alone(const struct grade_case *c);
/* Returns whether the grid has so many threads that even blocks without elements would take too long. Then the
 * sampled blocks run alone. */
bool case_has_many_threads(const struct grade_case *c);
/* Returns whether only the sampled blocks run, although the result depends on all blocks. The judge then combines the
 * partials that these blocks wrote. No contract says what a partial is. The case therefore counts as wrong only if the
 * partials are those of the blocks' elements in a smaller grid. */
bool case_shows_partials(const struct grade_case *c);
/* The sampled level of FINISH_LEVELS. Pair k consists of elements 2 * stride * k and 2 * stride * k + stride. */
struct case_level {
    uint32_t stride, pairs, blocks;
};
struct case_level case_level(const struct grade_case *c);
enum { CASE_PAIRS = 16 };
/* Returns the index of the pair whose result is value k of the sample. Each sampled block provides CASE_PAIRS
 * values, including its first and its last pair. */
uint64_t case_sampled_pair(const struct grade_case *c, unsigned k);
/* Combines elements [from, to) of the case in order and returns the result. `data` contains the case_given() drawn
 * elements. Must not be called for data whose sum is rounded. */
union value case_range(const struct grade_case *c, const void *data, uint64_t from, uint64_t to);
/* Returns whether a sample that matches no common way to divide the input may still be correct: blocks may take
 * their numbers from a counter, or work in reverse order. Then a run of all blocks must decide. */
bool case_may_share_otherwise(const struct grade_case *c);
/* Returns whether `got` can be value k of a correct sample. If not, sets *expected to the correct value or, if there
 * are several, to that of the simplest way to divide the input. For segments and pairs, sets *place to the value's
 * index in the output. */
bool case_sample_fits(const struct grade_case *c, const void *data, unsigned k, union value got, union value *expected,
                      uint64_t *place);

#endif
