/* Times the submission's kernel and the reference's on a GPU, in the one process that opens the GPU.
 *
 * The two kernels alternate in random order. The input of each run has new values at a random address. Before the run,
 * the GPU reads other data, so the input is in no cache. Outputs are overwritten with a pattern before a run, and each
 * result is compared with the expected one. Modules are reloaded every few runs. The result is the median ratio of
 * adjacent runs. Further pairs of runs follow until its confidence interval is narrow. docs/performance.md explains the
 * method. In a handout (j->recorded), the submission alternates with itself, and only its time is reported. */
#ifndef JUDGE_TIMING_H
#define JUDGE_TIMING_H

#include "judge/judge.h"
#include "record/status.h"

struct timing {
    enum timing_end end;
    char message[400]; /* a sentence; timing_run() always sets it */
    char device[96];
    uint32_t elements, block, grid, pairs;
    size_t element_bytes;
    double ns, reference_ns; /* median times in nanoseconds, for all launches of the plan together */
    double ratio, low, high; /* the median ratio of the pairs of runs; with confidence TIMING_CONFIDENCE, the true
                                median is between `low` and `high` */
    bool alone;  /* whether this is a handout without a reference, so that reference_ns, ratio, low and high are
                    meaningless */
    double peak; /* peak memory bandwidth in bytes per nanosecond; 0 if unknown */
};
#define TIMING_CONFIDENCE 0.99
#define TIMING_WIDTH 0.03 /* maximum of (high - low) / ratio; a wider interval means that the times are too noisy */

/* Times j->student against j->reference on j->options->gpu, for the kernel and the variant of `c`. Blocks have c->block
 * threads, unless each file chooses its launch configuration. This function chooses the number of elements. */
void timing_run(const struct judge *j, const struct grade_case *c, struct timing *t);
/* Sets the result of a kernel with this modeled ratio and this timing. A rejected timing gives no points. Otherwise,
 * the points depend on the ratio that the lab selects, or on the modeled ratio if the measured one is missing or too
 * noisy. */
void timing_verdict(const struct lab *lab, double modeled, const struct timing *t, json_t *result);
json_t *timing_json(const struct timing *t); /* `timed` in docs/result.schema.json */

/* Returns k such that, with at least this confidence, the median is between the k-th smallest and the k-th largest of n
 * values. Returns 0 if n is too small. */
unsigned timing_rank(unsigned n, double confidence);

#endif
