/* Whether the kernels did any work at all, decided from executed instructions of the observed launches (observed.h). */
#ifndef JUDGE_WORK_H
#define JUDGE_WORK_H

#include "judge/judge.h"

/* For each kernel of the lab: `read`, the share of its input that it has read and used, 0 to 1, in the launch with the
 * largest share (for some operators a compiler removes most reads), and `wrote`, the share of launches in which it
 * finished and wrote its output. An object {NAME: {read, wrote}}. */
json_t *judge_work(struct judge *j, const void *context);

#endif
