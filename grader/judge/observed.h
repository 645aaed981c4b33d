/* The launches for checks of technique, steps and memory. The first launch is fixed, and is the one that reports show:
 * one full block of 1024 threads. The others have random variants, threads, blocks and elements. Each variant and each
 * number of threads occurs at least once. The last launch has about as many blocks as fill a GPU, or one block with
 * many rounds. So a kernel cannot behave differently for the launch that is observed. The seed selects one of a fixed
 * number of sets of random launches. The number of sets is so small that a handout can contain the reference's figures
 * for all of them. */
#ifndef JUDGE_OBSERVED_H
#define JUDGE_OBSERVED_H

#include "judge/figures.h"
#include "judge/judge.h"
#include "model/gpus/gpu.h"

enum { OBSERVED_SETS = 32 };
enum { OBSERVED_BLOCK = 1024, OBSERVED_DRAWN = 4, OBSERVED_MOST = 1 + OBSERVED_DRAWN + VARIANT_COUNT + 2 + 1 };

/* One full block of `block` threads (only_block, if the kernel supports only one M) in the lab's first variant. */
struct grade_case observed_case(const struct judge *j, const struct lab_kernel *k, uint32_t block);
/* Gets the first launch and the seed's random ones for the kernel; returns their number. In launches 1, 3, ... all
 * threads have the same number of elements; in launches 2, 4, ... any number. */
unsigned observed_launches(const struct judge *j, const struct lab_kernel *k, struct grade_case launch[OBSERVED_MOST]);
/* Whether all threads have the same number of elements, so that no lane of the reference is idle for lack of one. */
bool observed_is_full(const struct grade_case *c);

/* A single block, to see how it waits for memory: 256 threads in the first variant, or, if `drawn`, threads and variant
 * selected by the seed. It has so many elements that the fixed costs at its end hardly count. */
struct grade_case observed_alone(const struct judge *j, const struct lab_kernel *k, bool drawn);

/* The cycles that a launch's only block takes on an idle GPU (model/pace.c). */
double observed_longest(const struct outcome *o);
/* A large case that fills `gpu`, with the program's own launch configuration if it has one. On failure returns false,
 * and `result` says why. */
bool observed_large(const struct judge *j, const struct program *p, const struct gpu *gpu, struct grade_case *c,
                    json_t *result);

/* The outcomes of the submission and of the reference for each launch. */
struct observed {
    unsigned count;
    struct grade_case launch[OBSERVED_MOST];
    struct outcome *student;
    struct figures reference[OBSERVED_MOST];
    bool shared; /* `student` is that of j->observed */
};
/* Runs the submission and, if `both`, the reference. On failure returns false, and `result` says why. Only the first
 * launch must be correct: wrong results of random launches cost points in other checks. Call observed_free() in either
 * case. */
bool observed_run(const struct judge *j, const struct lab_kernel *k, bool both, struct observed *o, json_t *result);
void observed_free(struct observed *o);
/* From here to observed_forget(), a kernel's launches run once, for all calls of observed_run() in this process. */
void observed_share(struct judge *j);
void observed_forget(struct judge *j);
/* Whether a check compares this kernel of the lab with the reference's. (technique.c) */
bool observed_beside(const struct lab *lab, const struct lab_kernel *k);
/* Runs the launches of a program in order, until they have taken too long, and measures counts and steps. Returns the
 * number of launches that ran. */
unsigned observed_run_all(const struct judge *j, const struct program *p, const struct grade_case launch[],
                          unsigned count, struct outcome outcome[]);
/* Runs one case of a program and measures `what` (MEASURE_...). On failure returns false, and `result` says why.
 * `whose` is "submission" or "reference". Call outcome_free() in either case. */
bool observed_measure(const struct judge *j, const struct program *p, const struct grade_case *c, unsigned what,
                      struct outcome *o, json_t *result, const char *whose);
#endif
