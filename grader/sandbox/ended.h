/* Why a process that worked on a submission came to its end: it ran into a limit or crashed, which is the submission's
 * doing, or it was killed from outside, which says nothing about the submission. */
#ifndef SANDBOX_ENDED_H
#define SANDBOX_ENDED_H

#include <stddef.h>

enum ended {
    ENDED_TIME,   /* its limit of processor time */
    ENDED_MEMORY, /* the machine had no room for as much as it took */
    ENDED_CRASH,
    ENDED_OUTSIDE /* by the machine, for others' memory, by the clock, or by a person */
};
/* A process that takes less than that many bytes is not what exhausts a machine: a right grade takes a tenth. */
#define ENDED_LARGE ((size_t)1 << 30)
/* The signal that ended it (0: none, it left by itself), and the most memory that it had at a time, in bytes. The
 * limits of this kit end a process by SIGXCPU or SIGPROF, which count processor time, or have its allocations fail;
 * never by SIGKILL. SIGALRM is the clock's: it ends what hangs, and says nothing about the submission. */
enum ended ended_by(int signal, size_t resident_bytes);

#endif
