/* Jobs that run beside this process and ahead of it, each in a process of its own; each gives a JSON object. */
#ifndef AHEAD_H
#define AHEAD_H

#include <jansson.h>

struct ahead;
/* Sees no terminal: its standard streams are /dev/null. */
typedef json_t *ahead_job(void *context, unsigned k);
/* Starts jobs 0 to count - 1 in their order, at most that many at once. NULL: no memory, or none at once. */
struct ahead *ahead_start(ahead_job *job, void *context, unsigned count, unsigned at_once);
/* Waits for job k. NULL: it has left nothing, or was killed; the caller does it alone. */
json_t *ahead_take(struct ahead *a, unsigned k);
void ahead_end(struct ahead *a);

#endif
