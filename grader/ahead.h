/* Runs jobs in child processes before their results are needed. A job returns a JSON object. */
#ifndef AHEAD_H
#define AHEAD_H

#include <jansson.h>

struct ahead;
/* Performs job k, without a terminal. Its standard streams are /dev/null. */
typedef json_t *ahead_job(void *context, unsigned k);
/* Starts jobs 0 to count - 1 in order, at most `at_once` at a time. Returns NULL if out of memory or if at_once is
 * 0. */
struct ahead *ahead_start(ahead_job *job, void *context, unsigned count, unsigned at_once);
/* Waits for job k and returns its result, once. Returns NULL if the job could not start, left no result or was killed;
 * the caller then does the work itself. */
json_t *ahead_take(struct ahead *a, unsigned k);
/* Kills the jobs that are still running, and frees `a`, which may be NULL. */
void ahead_end(struct ahead *a);

#endif
