/* Determines whether the kernels did any work, from the instructions that they executed in the first observed launches
 * (observed.h). */
#ifndef JUDGE_WORK_H
#define JUDGE_WORK_H

#include "judge/judge.h"

/* Returns an object {NAME: {read, wrote}} with a member for each kernel of the lab except helpers. read: the share of
 * its input that the kernel read and used, 0 to 1. This is the largest share of all launches, because compilers remove
 * most reads for some operators. wrote: the share of launches in which the kernel finished and wrote its output. */
json_t *judge_work(struct judge *j, const void *context);

#endif
