/* Generators of cases (case_rows.c, case_named.c), and what they have in common. */
#ifndef JUDGE_CASE_MAKERS_H
#define JUDGE_CASE_MAKERS_H

#include "judge/case_rows.h"

/* Uses of random numbers within a case. Each use has a separate random stream. */
enum use { FOR_SIZE, FOR_GRID, FOR_BLOCK, FOR_OFFSET, FOR_LAUNCHES };
uint64_t maker_drawn(const struct maker *m, unsigned k, enum use use); /* returns a random number of 48 bits */
/* Maps a random number to one from `low` to `high`; returns `low` if `high` is smaller. */
uint32_t maker_between(uint64_t random, uint32_t low, uint32_t high);
/* Draws a grid from each stratum in turn. If the grid has too many threads in total, draws a smaller one in seven of
 * eight cases. */
uint32_t maker_turning_grid(const struct maker *m, unsigned k, uint32_t block);
uint32_t maker_any_block(const struct maker *m, unsigned k, const struct grade_case *c); /* draws a block size */
/* Sets M and, for a grid-stride kernel, the number of blocks for a launch of which only a sample of blocks runs.
 * Returns a number that is a multiple of any usual round. */
uint32_t maker_shape_of_sample(const struct maker *m, unsigned k, struct grade_case *c);
/* Generates launches that are equal but for their elements, one per run. The device skips launches in which counters
 * are far from their targets; `wrap` is its code (device/advance.h). Returns true. */
bool maker_counting(const struct maker *m, unsigned k, uint32_t wrap, uint32_t stops, struct grade_case *c);

/* Generators of cases from the integers in the kernel's PTX. */
case_maker named_sizes, named_large_sizes, named_huge_sizes, named_launch_shapes, named_small_shapes, named_one_block,
    named_grids, named_huge_grids, named_clusters, named_launches, named_counts, named_remainders,
    named_remainders_above;

#endif
