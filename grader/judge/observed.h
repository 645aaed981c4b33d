/* Launches for the checks of technique, steps and memory. The first launch is fixed, and reports show it: one full
 * block or cluster with blocks of 1024 threads. The others have random variants, threads, blocks and elements, so that
 * a kernel cannot recognize that it is observed. Each variant occurs at least once, and so do blocks of 32 and of 64
 * threads, unless the kernel supports only one M. The last launch of most kernels has 65 or more blocks or, for a
 * one-block kernel, many rounds. The seed selects one of OBSERVED_SETS sets of random launches. There are so few sets
 * that a handout can contain the reference's figures for all of them. */
#ifndef JUDGE_OBSERVED_H
#define JUDGE_OBSERVED_H

#include "judge/figures.h"
#include "judge/judge.h"
#include "judge/scaled.h"
#include "model/gpus/gpu.h"

enum { OBSERVED_SETS = 32 };
enum { OBSERVED_BLOCK = 1024, OBSERVED_DRAWN = 4, OBSERVED_MAX = 1 + OBSERVED_DRAWN + VARIANT_COUNT + 2 + 1 };

/* Returns the case of one full block in the lab's first variant or, for a kernel with clusters, of one full cluster.
 * Blocks have `block` threads, or only_block if the kernel supports only one M. */
struct grade_case observed_case(const struct judge *j, const struct lab_kernel *k, uint32_t block);
/* Stores the first launch and the seed's random launches of the kernel. Returns their number. In launch 0, in odd
 * launches, and in the launches of 32 or 64 threads and of many blocks, all threads have the same number of elements;
 * in the others, n is random. */
unsigned observed_launches(const struct judge *j, const struct lab_kernel *k, struct grade_case launch[OBSERVED_MAX]);
/* Returns whether all threads have the same number of elements. No lane of the reference is then idle for lack of
 * elements. */
bool observed_is_full(const struct grade_case *c);

/* Returns a case with a single block, which shows how the block waits for memory. It has 256 threads and the first
 * variant or, if `drawn`, a number of threads and a variant that the seed selects. There are enough elements to make
 * the fixed costs at the end of the block negligible. */
struct grade_case observed_alone(const struct judge *j, const struct lab_kernel *k, bool drawn);

/* Returns how many cycles the only block of a launch takes on an idle GPU (model/pace.c). */
double observed_longest(const struct outcome *o);
/* Makes a large case that fills `gpu`, with the launch configuration that the program chooses, if it chooses one. On
 * failure, returns false and stores the reason in `result`. */
bool observed_large(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                    json_t *result);

/* The outcomes of the submission and the figures of the reference for each launch. The launches are those of
 * observed_launches(), of which there are `recorded`, followed by larger ones (scaled.h). */
enum { OBSERVED_ALL = OBSERVED_MAX + SCALED_MAX };
struct observed {
    unsigned count, recorded;
    struct grade_case launch[OBSERVED_ALL];
    struct outcome *student;
    struct figures reference[OBSERVED_ALL];
    unsigned from[SCALED_MAX]; /* for each larger launch: index of the launch whose figures are scaled */
    bool shared;               /* whether `student` belongs to j->observed */
};
/* Runs the launches of the submission and, if `both`, gets the reference's figures. On failure, returns false and
 * stores the reason in `result`. A launch with a wrong result is not a failure. Call observed_free() in either case. */
bool observed_run(const struct judge *j, const struct lab_kernel *k, bool both, struct observed *o, json_t *result);
void observed_free(struct observed *o);
/* Prints a message's suffix that names a random launch, such as " (reduce/sum_f32/n=700/block=256/grid=3)". For the
 * fixed first launch, the suffix is empty. Returns `out`. */
const char *observed_where(const struct observed *o, unsigned launch, char *out, size_t size);
/* Returns whether the submission's matrix products add the elements (products.c). If not, `result` gets a failure. */
bool observed_products_add(const struct judge *j, const struct observed *o, json_t *result);
/* Tests whether the results of full launches of a sum depend on shuffles. If the technique includes SHUFFLES, they
 * must. If it includes only WARP_SYNC, IN_PLACE_GLOBAL or USES_SHARED, they must not; launches with too few shuffles
 * for a tree are not tested. `kernel` begins the message. If the test fails, stores the failure in `result` and returns
 * false. */
bool observed_shuffles_add(const struct judge *j, unsigned technique, const struct observed *o, const char *kernel,
                           json_t *result);
/* Between observed_share() and observed_forget(), all calls to observed_run() in this process share one run of each
 * kernel's launches. */
void observed_share(struct judge *j);
void observed_forget(struct judge *j);
/* Returns whether a check of this lab compares the kernel with the reference's kernel (technique.c). */
bool observed_beside(const struct lab *lab, const struct lab_kernel *k);
/* Runs the launches of a program in order until they exceed the limit of work, and measures counts and steps. Returns
 * the number of launches that ran. */
unsigned observed_run_all(const struct judge *j, const struct program *p, const struct grade_case launch[],
                          unsigned count, struct outcome outcome[]);
/* Runs a case of a program and measures `what` (MEASURE_...). On failure, returns false and stores the reason in
 * `result`. The message contains `whose`, which is "submission" or "reference". Call outcome_free() in either case. */
bool observed_measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                      struct outcome *o, json_t *result, const char *whose);
#endif
