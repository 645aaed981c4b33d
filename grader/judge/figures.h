/* The figures of the reference, with which checks compare a submission's. The grader measures them by running the
 * reference. A handout contains no reference. Instead, it contains a file with figures for each lab and compiler
 * (./grade release figures). Recorded figures equal measured ones, because the reference always runs with the same
 * seed, on launches from a few sets (observed.h). */
#ifndef JUDGE_FIGURES_H
#define JUDGE_FIGURES_H

#include "model/gpus/gpu.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct judge;
struct judge_options;
struct grade_case;

/* FIGURE(member, value in a measurement m). The figures of a launch, in the order in which the files of recorded
 * figures list them. */
#define REFERENCE_FIGURES(FIGURE)                                                                                      \
    FIGURE(blocks, counts_of(m)->blocks)                                                                               \
    FIGURE(launches, counts_of(m)->launches)                                                                           \
    FIGURE(instructions, counts_of(m)->warp_instructions)                                                              \
    FIGURE(tree_steps, steps_of(m)->tree_steps)                                                                        \
    FIGURE(divergent_tree_steps, steps_of(m)->divergent_tree_steps)                                                    \
    FIGURE(divergent_in_memory, steps_of(m)->divergent_in_memory)                                                      \
    FIGURE(tree_warps, steps_of(m)->tree_warps)                                                                        \
    FIGURE(busiest_bytes, spread_of(m)->busiest_bytes)                                                                 \
    FIGURE(busiest_block, spread_of(m)->busiest_block)                                                                 \
    FIGURE(moved_bytes, spread_of(m)->moved_bytes)                                                                     \
    FIGURE(global_sectors, sectors_of(m)->global_sectors)                                                              \
    FIGURE(shared_wavefronts, banks_of(m)->shared_wavefronts)                                                          \
    FIGURE(shared_ideal_wavefronts, banks_of(m)->shared_ideal_wavefronts)
struct figures {
#define FIGURE(member, value) uint64_t member;
    REFERENCE_FIGURES(FIGURE)
#undef FIGURE
};

/* Get the reference's figures. figures_of_launches(): for these launches; figures_alone(): for a single block, in
 * cycles; figures_large(): for the large case on a GPU, in modeled cycles. On failure, they return false and store the
 * reason in `result`. */
bool figures_of_launches(const struct judge *j, const struct grade_case *launch, unsigned count, struct figures *out,
                         json_t *result);
bool figures_alone(const struct judge *j, const struct grade_case *c, double *cycles, json_t *result);
bool figures_large(const struct judge *j, const struct gpu *gpu, double *cycles, json_t *result);
struct measurement;
/* Returns the figures of a launch for display. */
json_t *figures_json(const struct grade_case *c, const struct measurement *m);
/* Returns figures of one full block or cluster for display (docs/result.schema.json): block, elements, counts and
 * steps. Returns NULL if there are none. */
json_t *figures_shown(const struct judge *j);

/* Returns whether the figures for display are in the cache. If so, the other figures usually are, too. */
bool figures_are_kept(const struct judge *j);

/* Runs the reference and returns all figures that the lab's checks may need. On failure, returns NULL and stores the
 * reason in `message`. */
json_t *figures_record(const struct judge_options *o, char *message, size_t size);
/* Prints the path of the figures' file in the kit, such as "grader/figures/lab3.nvcc.json". */
void figures_path(const char *lab, const char *compiler, char *out, size_t size);
/* Loads a lab's figures for o's compiler or, if there are none, for another compiler. On failure, returns NULL, and
 * `message` says what to do. */
json_t *figures_load(const struct judge_options *o, char *message, size_t size);

#endif
