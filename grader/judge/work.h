/* Did the kernels do any work at all? Decided from executed instructions of the observed launches (observed.h). */
#ifndef JUDGE_WORK_H
#define JUDGE_WORK_H

#include "judge/judge.h"

/* Kernel by kernel of the lab: `read`, the share of its input that it has read and used, 0 to 1, in
 * the launch where it is most (of some operators a compiler leaves little), and `wrote`, the share
 * of launches in which it came to its end and wrote its output. An object {NAME: {read, wrote}}. */
json_t *judge_work(struct judge *j, const void *context);

#endif
