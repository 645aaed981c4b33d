/* Classifies how a process that handled a submission ended. The submission is at fault if the process crashed, or
 * exceeded its limit on CPU time or memory. It is not at fault if the process was killed from outside. */
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
/* A process with a smaller resident set cannot exhaust a machine's memory. */
#define ENDED_LARGE ((size_t)1 << 30)
/* Classifies the end of a process that was killed by `signal` (0: it exited) and had `resident_bytes` of peak resident
 * memory.
 *
 * The limit on CPU time sends SIGXCPU or SIGPROF, which ends the process. The limit on a process's memory makes
 * allocations fail. SIGKILL therefore comes from a user or, if the process was large, from the out-of-memory killer,
 * which also enforces the memory limit of a control group. SIGALRM enforces the wall-clock limit on processes that
 * hang, and does not show that the submission is at fault. */
enum ended ended_by(int signal, size_t resident_bytes);

#endif
