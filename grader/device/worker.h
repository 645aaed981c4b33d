/* The simulator in a separate process that receives one submission's PTX and sees only the system's libraries
 * (sandbox/sandbox.h). The process is untrusted. The judge checks the bounds of its replies, so the process can do no
 * more than return false results.
 *
 *   judge                                           worker (this program, run as `grade --worker FD`)
 *   load:   starts the worker, sends the PTX   -->  parses it, reports whether it can run
 *   run:    sends a connection (SCM_RIGHTS)    -->  forks a process that serves the connection
 *           sends a plan and its inputs        -->  runs the plan
 *           receives the results               <--  sends outputs, text, measurements
 *           keeps the connection for the next run of any thread
 *   unload: ends the worker
 *
 * The judge sends all runs that are submitted together before it waits for the first reply. When the process that
 * serves a connection ends, the worker reports through the connection's pipe how it ended (sandbox/ended.h). If it
 * exceeded a limit on CPU time or memory, or crashed, the submission is at fault. If that process or the worker was
 * killed from outside, or exceeded the wall-clock limit, the device returns DEVICE_SETUP, worker_interruptions() counts
 * the failure, and the caller must repeat its work. */
#ifndef DEVICE_WORKER_H
#define DEVICE_WORKER_H

#include "device/device.h"

#define WORKER_WORD "--worker" /* main() passes `grade --worker FD` to worker_main() */
int worker_main(int fd);       /* serves the judge at the control socket; returns the exit status */
/* Returns how many loads, runs and reads of variables have failed so far because a process was killed from outside or
 * exceeded the wall-clock limit. Thread-safe. */
unsigned worker_interruptions(void);

/* ---- the protocol: no pointers, and no uninitialized bytes -------------------------------- */
enum {
    WORKER_CPU_SECONDS = 60, /* CPU time per request; SIGPROF ends a process that exceeds it */
    WORKER_SECONDS =
        180, /* wall-clock time per request, limited by SIGALRM; exceeding it is not the submission's fault */
    WORKER_PATIENCE = 5,       /* additional seconds that the judge waits for a reply */
    WORKER_PRINTED = 16 << 10, /* maximum number of bytes of printf output in a reply */
    WORKER_VALUE = 64,         /* maximum number of bytes of a variable in a reply */
    WORKER_CONNECTIONS =
        128, /* maximum number of simultaneous connections; further connections are closed immediately */
};
enum worker_word {
    WORKER_LOAD,     /* sends the PTX and its name */
    WORKER_RUN,      /* sends a plan, its concatenated inputs and its options */
    WORKER_VARIABLE, /* sends the variable's name */
    WORKER_WORDS
};
struct worker_request {
    uint32_t word;                                  /* enum worker_word */
    uint32_t measures, what, prints;                /* RUN: measures, prints: 0 or 1; what: see struct device_run */
    uint32_t observed_block, observed_launch;       /* RUN: see struct device_run */
    uint32_t shuffle, cores, cooperative, products; /* RUN: see struct device_options */
    uint32_t no_exchange, advance;                  /* RUN: see struct device_options */
    uint32_t chosen, block, warp, lane, stale, falling, turn, unused; /* RUN: the schedule in struct device_options */
    uint64_t seed, budget;                                            /* RUN: see struct device_options */
    uint64_t name_bytes, plan_bytes, data_bytes; /* sizes of the data that follows, in this order */
};
struct worker_reply {
    uint32_t status;        /* enum device_status */
    uint32_t launch, reads; /* RUN: see struct device_run */
    uint32_t unused;
    uint64_t bytes;        /* VARIABLE: the variable's size */
    uint64_t work, effort; /* RUN: see struct device_run */
    /* The sizes of the data that follows, in this order. */
    uint64_t output_bytes, printed_bytes, measured_bytes, message_bytes;
};
/* Message from the worker through a connection's pipe: how the process that served the connection ended. */
struct worker_end {
    int signal; /* 0 if the process exited */
    uint64_t resident_bytes;
};
/* A socket with buffers, so that small messages are sent together. Before it waits, channel_get() sends the pending
 * output. The functions return false if the other end is gone or has been silent for too long. */
struct channel;
/* Takes ownership of the socket. `seconds` is the timeout, or 0 for none. If out of memory, closes the socket and
 * returns NULL. */
struct channel *channel_new(int fd, int seconds);
void channel_free(struct channel *c);
bool channel_put(struct channel *c, const void *from, size_t size);
bool channel_send(struct channel *c);
bool channel_get(struct channel *c, void *to, size_t size);
/* Returns, after a failure, whether the other end exists but has been silent for too long. */
bool channel_is_silent(const struct channel *c);
/* Send and receive a connection and its pipe. Receiving returns false at the end of the input, and sets both
 * descriptors to -1 if a message contains none. */
bool channel_send_pair(int fd, const int pair[2]);
bool channel_receive_pair(int fd, int pair[2]);

#endif
