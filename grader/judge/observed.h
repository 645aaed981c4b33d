/* Launches for the checks of technique, steps and memory.
 *
 * The first launch is fixed, and reports show it: one full block or cluster, with blocks of 1024 threads. The others
 * have random variants, threads, blocks and elements, so that a kernel cannot recognize that it is observed. Each
 * variant occurs at least once. Unless the kernel supports only one M, so do blocks of 32 and of 64 threads. The last
 * launch of most kernels has 65 or more blocks or, for a one-block kernel, many rounds.
 *
 * The seed selects one of OBSERVED_SETS sets of random launches. There are so few that a handout can contain the
 * reference's figures for all of them. */
#ifndef JUDGE_OBSERVED_H
#define JUDGE_OBSERVED_H

#include "judge/figures.h"
#include "judge/judge.h"
#include "judge/scaled.h"
#include "model/gpus/gpu.h"

enum { OBSERVED_SETS = 32 };
enum { OBSERVED_BLOCK = 1024, OBSERVED_DRAWN = 4, OBSERVED_MAX = 1 + OBSERVED_DRAWN + VARIANT_COUNT + 2 + 1 };

/* Returns the case of one full block or, for a kernel with clusters, one full cluster, in the lab's first variant.
 * Blocks have `block` threads, or only_block if the kernel supports only one M. */
struct grade_case observed_case(const struct judge *j, const struct lab_kernel *k, uint32_t block);
/* Stores the first launch and the random launches that the seed selects. Returns their number. All threads have the
 * same number of elements in launch 0, in odd launches, in the launches for blocks of 32 and of 64 threads, and in the
 * launch of many blocks. In the others, n is random. */
unsigned observed_launches(const struct judge *j, const struct lab_kernel *k, struct grade_case launch[OBSERVED_MAX]);
/* Returns whether all threads have the same number of elements. If so, no lane of the reference is idle for lack of
 * elements. */
bool observed_is_full(const struct grade_case *c);

/* Returns a case with a single block or cluster, which shows how blocks wait for memory. In launch 0, a block
 * has 256 threads (or the only M), and the variant is the lab's first one. Launch 1 has fewer threads and launch 2
 * more; the seed selects their variants. There are so many elements that the fixed costs at the end are negligible. */
enum { OBSERVED_ALONE = 3 };
struct grade_case observed_alone(const struct judge *j, const struct lab_kernel *k, unsigned launch);

/* Returns how many cycles the slowest block of the first launch takes (model/block_time.c), or 0 if this was not
 * measured. */
double observed_longest(const struct outcome *o);
/* Makes the large case of the lab's first kernel, for modeled times on `gpu`. A grid-stride kernel fills the GPU. If
 * the program chooses a launch configuration, the case uses it. On failure, returns false and stores the reason in
 * `result`. */
bool observed_large(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                    json_t *result);

/* For each launch, the submission's outcome and the reference's figures. The first `recorded` launches are those of
 * observed_launches(); larger ones follow (scaled.h). */
enum { OBSERVED_ALL = OBSERVED_MAX + SCALED_MAX };
struct observed {
    unsigned count, recorded;
    struct grade_case launch[OBSERVED_ALL];
    struct outcome *student;
    struct figures reference[OBSERVED_ALL];
    unsigned from[SCALED_MAX]; /* for each larger launch: index of the launch whose figures are scaled */
    bool shared;               /* `student` belongs to j->observed */
    bool of_other;             /* the kernel is not the lab's first one */
};
/* Runs the submission's launches and, if `both`, gets the reference's figures. On failure, returns false and stores the
 * reason in `result`. A wrong result is not a failure. Call observed_free() in either case. */
bool observed_run(const struct judge *j, const struct lab_kernel *k, bool both, struct observed *o, json_t *result);
void observed_free(struct observed *o);
/* Prints the end of a message that names a launch, such as " (reduce/sum_f32/n=700/block=256/grid=3)". For the fixed
 * first launch of the lab's first kernel, prints "". Returns `out`. */
const char *observed_where(const struct observed *o, unsigned launch, char *out, size_t size);
/* Returns whether the submission's matrix products add the elements (products.c). If not, stores the failure in
 * `result`. */
bool observed_products_add(const struct judge *j, const struct observed *o, json_t *result);
/* Tests whether sums in full launches depend on shuffles. If the technique includes SHUFFLES, they must. If it has only
 * WARP_SYNC, IN_PLACE_GLOBAL or USES_SHARED, they must not; launches with too few shuffles for a tree are not tested.
 * On failure, returns false and stores a message in `result`, which begins with `kernel`. */
bool observed_shuffles_add(const struct judge *j, unsigned technique, const struct observed *o, const char *kernel,
                           json_t *result);
/* Between observed_share() and observed_forget(), all calls of observed_run() in this process share one run of each
 * kernel's launches. */
void observed_share(struct judge *j);
void observed_forget(struct judge *j);
/* Returns whether a check of this lab compares the kernel with the reference's (technique.c). */
bool observed_beside(const struct lab *lab, const struct lab_kernel *k);
/* Runs a program's launches in order and measures counts and steps. Stops at the limit on work. Returns the number of
 * launches that ran. */
unsigned observed_run_all(const struct judge *j, const struct program *p, const struct grade_case launch[],
                          unsigned count, struct outcome outcome[]);
/* Runs a case of a program and measures `what` (MEASURE_...). `whose` is "submission" or "reference", for messages. On
 * failure or if the result is wrong, returns false and stores the reason in `result`. Call outcome_free() in any
 * case. */
bool observed_measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                      struct outcome *o, json_t *result, const char *whose);
#endif
