/* A job is a case as text, with everything that a page needs to run it in its simulator (live/live.h):
 *
 *  lab lab3              the lab whose terms findings use
 *  name reduce           nonzero fields of struct lab_kernel, in the order of the table in job.c
 *  elements 2
 *  symbol _ZN7sum_f326reduceEPKfPfj
 *  case reduce/sum_f32/n=64/block=32
 *  seed 7
 *  schedule warp=1       only if an order of execution is chosen
 *
 * An empty line and the PTX follow. */
#ifndef JUDGE_JOB_H
#define JUDGE_JOB_H

#include "judge/judge.h"

struct job {
    struct lab lab; /* has only the job's kernel */
    struct lab_kernel kernel;
    struct grade_case c;
    const char *symbol, *ptx;
    char *text; /* storage for the other strings */
};
/* Returns a job as text, with the part of the PTX that the kernel uses; free() it. Returns NULL if there is no such
 * kernel, or if out of memory. */
char *job_print(const char *lab, const struct grade_case *c, const char *symbol, const char *ptx);
/* Reads a job. On failure, returns false and sets *why to the reason. In either case, call job_free() when job->c is no
 * longer needed. */
bool job_read(struct job *job, const char *text, const char **why);
void job_free(struct job *job);

#endif
