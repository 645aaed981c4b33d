/* Jobs that run ahead of this process, each in a child process; each returns a JSON object. */
#ifndef AHEAD_H
#define AHEAD_H

#include <jansson.h>

struct ahead;
/* Has no terminal: its standard streams are /dev/null. */
typedef json_t *ahead_job(void *context, unsigned k);
/* Starts jobs 0 to count - 1 in order, at most `at_once` at a time. NULL: no memory, or at_once is 0. */
struct ahead *ahead_start(ahead_job *job, void *context, unsigned count, unsigned at_once);
/* Waits for job k. NULL: it left no result, or was killed; the caller then does the work itself. */
json_t *ahead_take(struct ahead *a, unsigned k);
void ahead_end(struct ahead *a);

#endif
