/* Why a process that worked on a submission ended: it hit a limit or crashed, which is the submission's fault, or it
 * was killed from outside, which says nothing about the submission. */
#ifndef SANDBOX_ENDED_H
#define SANDBOX_ENDED_H

#include <stddef.h>

enum ended {
    ENDED_TIME,   /* it reached its limit of CPU time */
    ENDED_MEMORY, /* the machine could not provide its memory */
    ENDED_CRASH,
    ENDED_OUTSIDE /* killed because other processes took the memory, by a wall-clock limit, or by a user */
};
/* A process with a smaller resident set does not exhaust a machine's memory. A correct grade takes a tenth of this. */
#define ENDED_LARGE ((size_t)1 << 30)
/* `signal`: the signal that killed the process, 0 if it exited; `resident_bytes`: its peak resident memory. The kit's
 * limits end a process by SIGXCPU or SIGPROF, which count CPU time, or make its allocations fail, but never send
 * SIGKILL. SIGALRM is the wall-clock limit: it ends a process that hangs, and says nothing about the submission. */
enum ended ended_by(int signal, size_t resident_bytes);

#endif
