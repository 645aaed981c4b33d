/* The launches that technique, steps and memory are judged on. The first is known to all and is the one that is shown:
 * one full block of 1024 threads. The others are drawn: variant, threads, blocks, elements; each variant and each
 * number of threads is met at least once. So a kernel cannot keep one face for the launch that is looked at. There are
 * that many sets of drawn launches, of which the seed takes one: few enough that a handout holds the reference's
 * figures of all.
 */
#ifndef JUDGE_OBSERVED_H
#define JUDGE_OBSERVED_H

#include "judge/figures.h"
#include "judge/judge.h"
#include "model/gpus/gpu.h"

enum { OBSERVED_SETS = 32 };
enum { OBSERVED_BLOCK = 1024, OBSERVED_DRAWN = 4, OBSERVED_MOST = 1 + OBSERVED_DRAWN + VARIANT_COUNT + 2 };

/* One full block of `block` threads in the lab's first variant (of only_block, where the kernel is for one M). */
struct grade_case observed_case(const struct judge *j, const struct lab_kernel *k, uint32_t block);
/* The first launch and those that the seed draws for the kernel; returns how many there are. Launches 1, 3, ... give
 * all threads as many elements; 2, 4, ... any number. */
unsigned observed_launches(const struct judge *j, const struct lab_kernel *k, struct grade_case launch[OBSERVED_MOST]);
/* Do all threads have as many elements as their neighbors: is no lane of the reference idle for want of an element? */
bool observed_is_full(const struct grade_case *c);

/* One block alone, to see how it waits: of 256 threads in the first variant, or (`drawn`) as the seed has it. It has so
 * many elements that what a block does once, at its end, hardly counts. */
struct grade_case observed_alone(const struct judge *j, const struct lab_kernel *k, bool drawn);

/* Cycles that the block of a launch of one block takes on an idle chip (model/pace.c). */
double observed_longest(const struct outcome *o);
/* A large case that fills `gpu`, launched as the program chooses where that is its choice; false: `result` says why
 * not.
 */
bool observed_large(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                    json_t *result);

/* The submission and the reference on each launch. */
struct observed {
    unsigned count;
    struct grade_case launch[OBSERVED_MOST];
    struct outcome *student;
    struct figures reference[OBSERVED_MOST];
};
/* Runs the submission and, if `both`, the reference; false: `result` says why they could not be measured. Only the
 * first launch must be right: a drawn one that is wrong costs points where results are judged, and says nothing here.
 * observed_free() it either way. */
bool observed_run(const struct judge *j, const struct lab_kernel *k, bool both, struct observed *o, json_t *result);
void observed_free(struct observed *o);
/* Does a check compare this kernel of the lab with the reference's? (technique.c) */
bool observed_beside(const struct lab *lab, const struct lab_kernel *k);
/* Counts and steps of each launch of a program. */
void observed_run_all(const struct judge *j, const struct program *p, const struct grade_case launch[], unsigned count,
                      struct outcome outcome[]);
/* Runs one case of a program with `what` measured (MEASURE_...); false: `result` says why it could not be. `whose`:
 * "submission", "reference". outcome_free() it either way. */
bool observed_measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                      struct outcome *o, json_t *result, const char *whose);
#endif
