/* Whether the kernels did any work at all. The instructions executed in the observed launches (observed.h) decide. */
#ifndef JUDGE_WORK_H
#define JUDGE_WORK_H

#include "judge/judge.h"

/* An object {NAME: {read, wrote}} for each kernel of the lab. `read` is the share of its input that it has read and
 * used, 0 to 1, in the launch with the largest share, because for some operators a compiler removes most reads. `wrote`
 * is the share of launches in which it finished and wrote its output. */
json_t *judge_work(struct judge *j, const void *context);

#endif
