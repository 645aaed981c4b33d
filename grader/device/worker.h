/* The simulator in a process of its own, which holds one submission's PTX, sees nothing but the system's libraries
 * (sandbox/sandbox.h) and is not trusted: what it sends is held to its bounds, and may be a lie, no more.
 *
 *   judge                                         worker (this program again, `grade --worker FD`)
 *   load: starts it, sends the PTX         -->    parses it; says whether it can be run, and where buffers begin
 *   open: a connection, by SCM_RIGHTS      -->    forks a process that serves this connection
 *   alloc, write, launch, read, ...        -->    the simulator's
 *   close: keeps the connection for the next open of whichever thread
 *   unload: ends it
 *
 * A connection that breaks or is silent for too long: the worker tells, over a pipe of each connection, what ended the
 * process behind it (sandbox/ended.h). A limit or a crash is the submission's fault. Where the process, or the worker
 * itself, was ended from outside, the device says DEVICE_SETUP and worker_interruptions() counts it: whatever came of
 * the work in between is to be done again. */
#ifndef DEVICE_WORKER_H
#define DEVICE_WORKER_H

#include "device/device.h"

#define WORKER_WORD "--worker" /* main() hands `grade --worker FD` to worker_main() */
int worker_main(int fd);
uint64_t sim_variable_bytes(const struct device_module *m); /* of device_sim: each session has its own */
unsigned worker_interruptions(void);                        /* of this process's workers so far; threads may ask */

/* ---- between the two ------------------------------------------------------------------------ */
enum {
    WORKER_SECONDS = 40, /* of one request; then its process ends */
    WORKER_PATIENCE = 5, /* more, that the judge waits */
    WORKER_PARAMS = 8,
    WORKER_PARAM_BYTES = 8,           /* of one */
    WORKER_PRINTED = 16 << 10,        /* bytes of a kernel's printf that are sent */
    WORKER_CONNECTIONS = 128,         /* at a time; one that is too many is closed at once */
    WORKER_SESSIONS = DEVICE_AT_ONCE, /* at a time, of a connection */
};
/* Requests that give nothing are not answered: where one fails, the next that is has its answer. */
enum worker_word {
    WORKER_LOAD,     /* name; the PTX follows */
    WORKER_OPEN,     /* options; no answer */
    WORKER_CLOSE,    /* no answer */
    WORKER_ALLOC,    /* name, bytes, flags; the address, which both reckon by sim_after(); no answer */
    WORKER_WRITE,    /* address; the data follow; no answer */
    WORKER_READ,     /* address, bytes; gives the data, and after the last launch the packed measurement */
    WORKER_VARIABLE, /* name; gives address and bytes */
    WORKER_START,    /* launch, name; no answer */
    WORKER_LAUNCH,   /* the same; gives what was printed */
    WORKER_RELEASE,  /* address; no answer */
    WORKER_MEASURED, /* gives the packed measurement */
    WORKER_WORDS
};
struct worker_request {
    enum worker_word word;
    unsigned session, flags;
    uint64_t address, bytes;
    uint64_t length; /* of what follows */
    char name[512];
    struct device_options options; /* its pointers are of no use here, but print: NULL or not */
    struct {
        uint32_t grid, block, grid_yz[2], block_yz[2], dynamic_shared;
        unsigned what; /* is measured */
        uint32_t observed_block;
        bool last;
        unsigned param_count;
        uint32_t param_bytes[WORKER_PARAMS];
        unsigned char param[WORKER_PARAMS][WORKER_PARAM_BYTES];
    } launch;
};
struct worker_reply {
    enum device_status status;
    uint64_t address, bytes;
    uint64_t length, extra; /* of what follows: data, or the message where the status is not DEVICE_OK; then what was
                               printed, or measured */
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
