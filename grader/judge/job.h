/* A case as text: all that a page must be told to run it with the simulator that the page holds (live/live.h).
 *
 *   lab lab3              whose terms findings use
 *   name reduce           fields of struct lab_kernel that are not zero, in the order of the table in job.c
 *   elements 2
 *   symbol _ZN7sum_f326reduceEPKfPfj
 *   case reduce/sum_f32/n=64/block=32
 *   seed 7
 *   schedule warp=1       only where an order is chosen
 *
 * and an empty line. The PTX follows. */
#ifndef JUDGE_JOB_H
#define JUDGE_JOB_H

#include "judge/judge.h"

struct job {
    struct lab lab; /* of the one kernel */
    struct lab_kernel kernel;
    struct grade_case c;
    const char *symbol, *ptx;
    char *text; /* what the above point into */
};
/* With what of the PTX the kernel uses. Free() it; NULL: no memory, or no such kernel. */
char *job_print(const char *lab, const struct grade_case *c, const char *symbol, const char *ptx);
/* False: *why says what is wrong. job_free() it in either case, after the last use of job->c. */
bool job_read(struct job *job, const char *text, const char **why);
void job_free(struct job *job);

#endif
