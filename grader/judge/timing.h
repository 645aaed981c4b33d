/* Measured time on a GPU: a submission's kernel vs. the reference's, in one process, which alone opens the GPU.
 *
 * The two take turns in random order. Each run has an input of values and at an address that no launch has seen, which
 * memory must be read for, outputs that hold a pattern, and is compared with what its input comes to. Modules are
 * loaded again every few runs. What counts is the median of the ratios of neighboring runs; pairs are run until an
 * interval about it is narrow. docs/performance.md explains it. In a handout (j->recorded) the submission is timed
 * beside itself, and what it takes is reported. */
#ifndef JUDGE_TIMING_H
#define JUDGE_TIMING_H

#include "judge/judge.h"
#include "record/status.h"

struct timing {
    enum timing_end end;
    char message[400]; /* a sentence, of every end */
    char device[96];
    uint32_t elements, block, grid, pairs;
    size_t element_bytes;
    double ns, reference_ns; /* medians, of all launches of the plan together */
    double ratio, low, high; /* of pairs; the true median is in [low, high] in TIMING_CONFIDENCE of all cases */
    bool alone;              /* a handout's: there was no reference, so reference_ns, ratio, low and high say nothing */
    double peak;             /* bytes a nanosecond that memory can move at most; 0: not known */
};
#define TIMING_CONFIDENCE 0.99
#define TIMING_WIDTH 0.03 /* of a quiet ratio: (high - low) / ratio at most */

/* Times j->student beside j->reference on j->options->gpu: the kernel and the variant of `c`, in blocks of c->block, or
 * as each of the two chooses. How many elements there are is chosen here. */
void timing_run(const struct judge *j, const struct grade_case *c, struct timing *t);
/* The verdict on a kernel with this modeled ratio and this timing. A refused timing gives no points. Otherwise the
 * ratio that the lab selects counts, and the modeled one if no quiet measured one exists. */
void timing_verdict(const struct lab *lab, double modeled, const struct timing *t, json_t *result);
json_t *timing_json(const struct timing *t); /* as docs/result.schema.json says: `timed` */

/* The k for which the median of n values is between the k-th smallest and the k-th largest in `confidence` of all
 * cases or more; 0 where n is too small. */
unsigned timing_rank(unsigned n, double confidence);

#endif
