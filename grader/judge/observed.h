/* The launches for checks of technique, steps and memory. The first is fixed, and is the one shown: one full block of
   1024 threads. The others are random: variant, threads, blocks, elements; each variant and each number of threads
   occurs at least once, and the last has about as many blocks as fill a GPU, or one block with many rounds. So a kernel
   cannot behave differently for the launch that is observed. There is a fixed number of sets of random launches, one of
   which the seed selects: few enough that a handout can contain the reference's figures for all. */
#ifndef JUDGE_OBSERVED_H
#define JUDGE_OBSERVED_H

#include "judge/figures.h"
#include "judge/judge.h"
#include "model/gpus/gpu.h"

enum { OBSERVED_SETS = 32 };
enum { OBSERVED_BLOCK = 1024, OBSERVED_DRAWN = 4, OBSERVED_MOST = 1 + OBSERVED_DRAWN + VARIANT_COUNT + 2 + 1 };

/* One full block of `block` threads in the lab's first variant (of only_block, if the kernel supports only one M). */
struct grade_case observed_case(const struct judge *j, const struct lab_kernel *k, uint32_t block);
/* The first launch and the seed's random ones for the kernel; returns their number. In launches 1, 3, ... all threads
 * have the same number of elements; in 2, 4, ... any number. */
unsigned observed_launches(const struct judge *j, const struct lab_kernel *k, struct grade_case launch[OBSERVED_MOST]);
/* Whether all threads have the same number of elements, so that no lane of the reference is idle for lack of one. */
bool observed_is_full(const struct grade_case *c);

/* One block alone, to see how it waits: 256 threads in the first variant, or (`drawn`) as the seed selects. It has so
 * many elements that one-time costs at its end hardly count. */
struct grade_case observed_alone(const struct judge *j, const struct lab_kernel *k, bool drawn);

/* Cycles of the only block of a launch on an idle GPU (model/pace.c). */
double observed_longest(const struct outcome *o);
/* A large case that fills `gpu`, launched with the program's own configuration if it has one; on failure returns false,
   and `result` says why. */
bool observed_large(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                    json_t *result);

/* The submission and the reference on each launch. */
struct observed {
    unsigned count;
    struct grade_case launch[OBSERVED_MOST];
    struct outcome *student;
    struct figures reference[OBSERVED_MOST];
};
/* Runs the submission and, if `both`, the reference; on failure returns false, and `result` says why. Only the first
 * launch must be correct: a wrong random one costs points in the checks of results, and does not matter here. Call
 * observed_free() in either case. */
bool observed_run(const struct judge *j, const struct lab_kernel *k, bool both, struct observed *o, json_t *result);
void observed_free(struct observed *o);
/* Whether a check compares this kernel of the lab with the reference's. (technique.c) */
bool observed_beside(const struct lab *lab, const struct lab_kernel *k);
/* Counts and steps of each launch of a program. */
void observed_run_all(const struct judge *j, const struct program *p, const struct grade_case launch[], unsigned count,
                      struct outcome outcome[]);
/* Runs one case of a program and measures `what` (MEASURE_...); on failure returns false, and `result` says why.
 * `whose`: "submission", "reference". Call outcome_free() in either case. */
bool observed_measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                      struct outcome *o, json_t *result, const char *whose);
#endif
