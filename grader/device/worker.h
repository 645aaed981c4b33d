/* The simulator in a separate process, which has one submission's PTX and sees only the system's libraries
 * (sandbox/sandbox.h). The process is untrusted: its replies are bounds-checked, so the worst that it can do is send
 * false results.
 *
 *   judge                                         worker (this program again, `grade --worker FD`)
 *   load: starts it, sends the PTX         -->    parses it; reports whether it can run
 *   run: a connection, by SCM_RIGHTS,      -->    forks a process that serves this connection
 *     a plan and its inputs                -->    runs it
 *     outputs, text, measurements     <--
 *   The connection is kept for the next run of any thread.
 *   unload: ends it
 *
 * Runs that are submitted together are all sent before the judge waits for the first reply. If a connection breaks or
 * is silent for too long, the worker reports over the connection's pipe how the process that served it ended
 * (sandbox/ended.h). A limit or a crash is the submission's fault. If that process, or the worker itself, was killed
 * from outside, the device returns DEVICE_SETUP, and worker_interruptions() counts it: the work done in between must be
 * repeated. */
#ifndef DEVICE_WORKER_H
#define DEVICE_WORKER_H

#include "device/device.h"

#define WORKER_WORD "--worker" /* main() passes `grade --worker FD` to worker_main() */
int worker_main(int fd);
unsigned worker_interruptions(void); /* how often this process's workers have been killed so far; thread-safe */

/* ---- the protocol: no pointers, and no uninitialized bytes -------------------------------- */
enum {
    WORKER_CPU_SECONDS = 60,   /* CPU time per request; then SIGPROF ends its process */
    WORKER_SECONDS = 180,      /* wall-clock limit, by SIGALRM, which says nothing about the submission */
    WORKER_PATIENCE = 5,       /* seconds that the judge waits in addition */
    WORKER_PRINTED = 16 << 10, /* bytes of a kernel's printf output that are sent */
    WORKER_VALUE = 64,         /* bytes of a variable that are sent */
    WORKER_CONNECTIONS = 128,  /* at the same time; further connections are closed at once */
};
enum worker_word {
    WORKER_LOAD,     /* the PTX and its name */
    WORKER_RUN,      /* a plan, its concatenated inputs, its options */
    WORKER_VARIABLE, /* its name */
    WORKER_WORDS
};
struct worker_request {
    uint32_t word;                                      /* enum worker_word */
    uint32_t measures, what, prints;                    /* RUN: measures, prints: 0 or 1; what: see struct device_run */
    uint32_t observed_block, observed_launch;           /* RUN: see struct device_run */
    uint32_t shuffle, cores, cooperative, products;     /* RUN: see struct device_options */
    uint32_t chosen, block, warp, lane, stale, falling; /* RUN: the schedule in struct device_options */
    uint64_t seed, budget;                              /* likewise */
    uint64_t name_bytes, plan_bytes, data_bytes;        /* sizes of the data that follows, in this order */
};
struct worker_reply {
    uint32_t status;        /* enum device_status */
    uint32_t launch, reads; /* RUN: see struct device_run */
    uint32_t unused;
    uint64_t bytes;        /* VARIABLE: the variable's size */
    uint64_t work, effort; /* RUN: see struct device_run */
    uint64_t output_bytes, printed_bytes, measured_bytes,
        message_bytes; /* sizes of the data that follows, in this order */
};
/* How a connection's process ended; the worker sends this through the connection's pipe. */
struct worker_end {
    int signal; /* 0: it exited */
    uint64_t resident_bytes;
};
/* A socket with send and receive buffers, so that small messages are batched. Before receiving, pending output is sent.
 * Functions return false if the other end is gone, or has been silent for too long. */
struct channel;
struct channel *channel_new(int fd, int seconds); /* takes ownership of the socket; `seconds`: timeout, 0: none */
void channel_free(struct channel *c);
bool channel_put(struct channel *c, const void *from, size_t size);
bool channel_send(struct channel *c);
bool channel_get(struct channel *c, void *to, size_t size);
bool channel_is_silent(const struct channel *c); /* after a failure: whether the other end exists, but sends nothing */
/* Sends a connection and its pipe, with one byte. The receiver gets false at the end of input, and -1 if no descriptors
 * came. */
bool channel_send_pair(int fd, const int pair[2]);
bool channel_receive_pair(int fd, int pair[2]);

#endif
