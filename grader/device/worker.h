/* The simulator in a process of its own, which holds one submission's PTX, sees nothing but the system's libraries
 * (sandbox/sandbox.h) and is not trusted: what it sends is held to its bounds, and may be a lie, no more.
 *
 *   judge                                         worker (this program again, `grade --worker FD`)
 *   load: starts it, sends the PTX         -->    parses it; says whether it can be run
 *   run: a connection, by SCM_RIGHTS,      -->    forks a process that serves this connection
 *     a plan and its inputs                -->    runs it
 *     outputs, text, what was measured     <--
 *   The connection stays for the next run of whichever thread.
 *   unload: ends it
 *
 * Runs that are handed over together are all sent before the first answer is awaited. A connection that breaks or is
 * silent for too long: the worker tells, over a pipe of each connection, what ended the process behind it
 * (sandbox/ended.h). A limit or a crash is the submission's fault. Where the process, or the worker itself, was ended
 * from outside, the device says DEVICE_SETUP and worker_interruptions() counts it: whatever came of the work in between
 * is to be done again. */
#ifndef DEVICE_WORKER_H
#define DEVICE_WORKER_H

#include "device/device.h"

#define WORKER_WORD "--worker" /* main() hands `grade --worker FD` to worker_main() */
int worker_main(int fd);
unsigned worker_interruptions(void); /* of this process's workers so far; threads may ask */

/* ---- between the two: no pointer, and no byte that nobody has set -------------------------- */
enum {
    WORKER_CPU_SECONDS = 60,   /* processor time of one request; then its process ends by SIGPROF */
    WORKER_SECONDS = 180,      /* by the clock: SIGALRM, which says nothing about the submission */
    WORKER_PATIENCE = 5,       /* more, that the judge waits */
    WORKER_PRINTED = 16 << 10, /* bytes of a kernel's printf that are sent */
    WORKER_VALUE = 64,         /* bytes of a variable that are sent */
    WORKER_CONNECTIONS = 128,  /* at a time; one that is too many is closed at once */
};
enum worker_word {
    WORKER_LOAD,     /* the PTX and its name */
    WORKER_RUN,      /* a plan, its inputs one after the other, its options */
    WORKER_VARIABLE, /* its name */
    WORKER_WORDS
};
struct worker_request {
    uint32_t word;                                      /* enum worker_word */
    uint32_t measures, what, prints;                    /* RUN: 0 or 1; as in struct device_run; 0 or 1 */
    uint32_t observed_block, observed_launch;           /* RUN: as in struct device_run */
    uint32_t shuffle, cores, cooperative, unused;       /* RUN: as in struct device_options, */
    uint32_t chosen, block, warp, lane, stale, falling; /* likewise: its schedule */
    uint64_t seed, budget;                              /* likewise */
    uint64_t name_bytes, plan_bytes, data_bytes;        /* of what follows, in this order */
};
struct worker_reply {
    uint32_t status;        /* enum device_status */
    uint32_t launch, reads; /* RUN: as in struct device_run */
    uint32_t unused;
    uint64_t bytes;                                                      /* VARIABLE: its size */
    uint64_t work;                                                       /* RUN: as in struct device_run */
    uint64_t output_bytes, printed_bytes, measured_bytes, message_bytes; /* of what follows, in this order */
};
/* How the process of a connection ended; through its pipe. */
struct worker_end {
    int signal; /* 0: it left by itself */
    uint64_t resident_bytes;
};
/* A socket with room for what goes out and comes in, so that small things travel together. Whoever waits for what comes
 * in has sent what goes out. False: the other end is gone, or has been silent for too long. */
struct channel;
struct channel *channel_new(int fd, int seconds); /* takes the socket over; seconds of silence; 0: any */
void channel_free(struct channel *c);
bool channel_put(struct channel *c, const void *from, size_t size);
bool channel_send(struct channel *c);
bool channel_get(struct channel *c, void *to, size_t size);
bool channel_is_silent(const struct channel *c); /* after a failure: the other end is there, and says nothing */
/* A connection and its pipe, with one byte. The receiver gets false at the end, and -1 where none came with it. */
bool channel_send_pair(int fd, const int pair[2]);
bool channel_receive_pair(int fd, int pair[2]);

#endif
