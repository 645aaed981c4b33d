/* Classifies how a process that handled a submission ended. Hitting a limit or crashing is the submission's fault. If
 * another process killed it, the submission is not at fault. */
#ifndef SANDBOX_ENDED_H
#define SANDBOX_ENDED_H

#include <stddef.h>

enum ended {
    ENDED_TIME,   /* the process exceeded the limit on CPU time */
    ENDED_MEMORY, /* the process needed more memory than the machine could provide */
    ENDED_CRASH,
    ENDED_OUTSIDE /* the process was killed by a user, by the wall-clock limit, or because other processes took the
                     memory */
};
/* A process with a smaller resident set cannot exhaust a machine's memory. A correct submission takes a tenth of this
 * size. */
#define ENDED_LARGE ((size_t)1 << 30)
/* Classifies the end of a process that was killed by `signal` (0: it exited) and had `resident_bytes` of peak resident
 * memory.
 *
 * The kit's limits make allocations fail, or end a process by SIGXCPU or SIGPROF when its CPU time is used up. They
 * never send SIGKILL. SIGALRM enforces the wall-clock limit on processes that hang, and does not show that the
 * submission is at fault. */
enum ended ended_by(int signal, size_t resident_bytes);

#endif
