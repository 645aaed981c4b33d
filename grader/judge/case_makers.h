/* Generators of cases (case_rows.c, case_named.c, case_specials.c), and what they have in common. */
#ifndef JUDGE_CASE_MAKERS_H
#define JUDGE_CASE_MAKERS_H

#include "judge/case_rows.h"

/* What a random number of a case is for. Each use has its own random stream. */
enum use { FOR_SIZE, FOR_GRID, FOR_BLOCK, FOR_OFFSET, FOR_LAUNCHES };
uint64_t maker_drawn(const struct maker *m, unsigned k, enum use use); /* returns a random number of 48 bits */
/* Maps a random number to the range from `low` to `high`. Returns `low` if the range is empty. */
uint32_t maker_between(uint64_t random, uint32_t low, uint32_t high);
/* Draws a grid. Successive cases use successive strata of case_grid(). If the grid has too many threads in total, seven
 * of eight cases get a smaller one. */
uint32_t maker_turning_grid(const struct maker *m, unsigned k, uint32_t block);
uint32_t maker_any_block(const struct maker *m, unsigned k, const struct grade_case *c); /* draws a block size */
/* Sets M and, for a grid-stride kernel, the number of blocks, for a launch that runs only a sample of its blocks.
 * Returns a multiple of the number of elements that any usual round takes. */
uint32_t maker_shape_of_sample(const struct maker *m, unsigned k, struct grade_case *c);
/* Generates launches that differ only in their elements, one per run. The device skips launches in which counters are
 * far from their targets, at most `stops` times; `wrap` is the code for this (device/advance.h). Returns true. */
bool maker_counting(const struct maker *m, unsigned k, uint32_t wrap, uint32_t stops, struct grade_case *c);
/* A kernel that finishes the reduction by itself may leave state behind. If the case is large, adds a second launch,
 * with few elements. */
void maker_follow(struct grade_case *c);

/* Generators that use the integers in the kernel's PTX. */
case_maker named_sizes, named_large_sizes, named_huge_sizes, named_launch_shapes, named_small_shapes, named_one_block,
    named_grids, named_huge_grids, named_clusters, named_launches, named_counts, named_remainders,
    named_remainders_above, named_grid_remainders, named_large_launches, unaligned_large;
/* Generators of at most one case for each pack of special values (special.h). */
case_maker special_on_one, special_on_many;

#endif
