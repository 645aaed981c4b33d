/* The judge's end of a connection to a worker (worker.h): requests go out together, sessions that share it wait for
 * their answers in the order in which they asked. One thread has it at a time. */
#ifndef DEVICE_CONNECTION_H
#define DEVICE_CONNECTION_H

#include "device/worker.h"
#include "sandbox/ended.h"

/* What a session asked for, at most one thing at a time. */
struct answer {
    enum { ANSWER_NONE, ANSWER_AWAITED, ANSWER_HERE } state;
    uint64_t most, most_extra; /* bytes that may come */
    struct worker_reply head;
    uint8_t *data, *extra; /* head.length and head.extra bytes */
};
struct connection {
    struct channel *channel; /* NULL: broken; then */
    enum ended ended;
    int end;       /* pipe: how the process behind it ended */
    unsigned open; /* bit k: session k of it is in use */
    struct answer answer[WORKER_SESSIONS];
    unsigned order[WORKER_SESSIONS], asked; /* the sessions that wait, the next one first */
};
/* Asks the worker at `control` for one; NULL: out of memory or files. Where the worker is gone it breaks at once. */
struct connection *connection_new(int control);
void connection_free(struct connection *c);
/* Has a request with q->length bytes of `data` sent before anybody waits. False: it is broken. */
bool connection_tell(struct connection *c, const struct worker_request *q, const void *data);
/* The same, and its session is to have an answer of at most these bytes. */
bool connection_ask(struct connection *c, const struct worker_request *q, uint64_t most, uint64_t most_extra);
/* Waits for the answer that session k has asked for; it stays until the session asks again. NULL: broken. */
const struct answer *connection_answer(struct connection *c, unsigned k);
/* It has sent what no worker does. */
void connection_refuse(struct connection *c);

#endif
