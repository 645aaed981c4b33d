/* Times the submission's kernel and the reference's on a GPU, in the process of the check of speed.
 *
 * The two kernels alternate in random order. Each run has new input values at a random address. Before the run, the GPU
 * reads other data, so that no cache has the input, and outputs are overwritten with a pattern. Each result is compared
 * with the expected one. Modules are reloaded every few runs.
 *
 * The result is the median ratio of adjacent runs. More pairs of runs follow until the confidence interval of the
 * median is narrow. docs/performance.md explains the method.
 *
 * In a handout (j->recorded), the submission alternates with itself, and only its time is reported. */
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
    double ns, reference_ns; /* median times of all launches of the plan together, in nanoseconds */
    double ratio, low, high; /* ratio: the median over the pairs of runs. With confidence TIMING_CONFIDENCE, the true
                                median is between `low` and `high` */
    bool alone;  /* in a handout without a reference; reference_ns, ratio, low and high are then meaningless */
    double peak; /* peak memory bandwidth, in bytes per nanosecond; 0 if unknown */
};
#define TIMING_CONFIDENCE 0.99
#define TIMING_WIDTH 0.03 /* if (high - low) / ratio is larger, the times are too noisy */

/* Times j->student and j->reference on j->options->gpu, for the kernel and the variant of `c`. Blocks have c->block
 * threads, unless the file chooses its launch configuration. timing_run() chooses the number of elements. */
void timing_run(const struct judge *j, const struct grade_case *c, struct timing *t);
/* Sets the result of a kernel with this modeled ratio and this timing. A rejected timing earns no points. Otherwise,
 * points depend on the ratio that the lab selects. If the measured ratio is missing or too noisy, they depend on the
 * modeled one. */
void timing_verdict(const struct lab *lab, double modeled, const struct timing *t, json_t *result);
json_t *timing_json(const struct timing *t); /* `timed` in docs/result.schema.json */

/* Returns k so that the median is between the k-th smallest and the k-th largest of n values, with at least this
 * confidence. Returns 0 if n is too small. */
unsigned timing_rank(unsigned n, double confidence);

#endif
