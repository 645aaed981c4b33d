/* Runs the cases of a check (of results or findings) on at most 16 of the host's cores. The outcomes do not depend on
 * how the cases are distributed. */
#ifndef JUDGE_BATCH_H
#define JUDGE_BATCH_H

#include "judge/judge.h"
#include <stdatomic.h>

struct batch {
    const struct judge *j;
    struct grade_case *cases;
    struct outcome *outcomes;
    unsigned count, what, brief, at_once; /* what: what to measure; brief: what to measure while cases are correct;
                                             at_once: maximum number of cases that a thread submits together */
    bool *elsewhere;                      /* [k]: in the first pass, another check was running case k */
    bool second;                          /* second pass, over the cases of `elsewhere` */
    unsigned threads;
    atomic_uint next;
    atomic_ullong done; /* warp-instructions of finished cases before the next case in the list */
    atomic_bool wrong;  /* whether a finished case was wrong */
    uint64_t most;      /* limit on warp-instructions */
    uint64_t endless;   /* kernels that do not terminate, as in struct judge */
    uint64_t work; /* warp-instructions left for whole runs: runs of all blocks of a case that is normally sampled */
};
/* Runs the cases of the current check and measures `what` (MEASURE_...). On failure, returns false and stores the
 * reason in `result`; otherwise, call batch_free(). */
bool batch_run(struct batch *b, struct judge *j, unsigned what, json_t *result);
void batch_free(struct batch *b);
/* Returns the limit on warp-instructions for all cases together. It is lower after a wrong case. */
uint64_t batch_most_work(const struct batch *b, bool wrong);
bool batch_was_run(const struct outcome *o);  /* whether the case ran, and its outcome was kept */
bool batch_is_wrong(const struct outcome *o); /* whether the case is wrong or was stopped */
#endif
