/* The judge's end of a connection to a worker (worker.h). When the connection breaks, it records how the process at
 * the other end ended. Only one thread at a time may use a connection. */
#ifndef DEVICE_CONNECTION_H
#define DEVICE_CONNECTION_H

#include "device/worker.h"
#include "sandbox/ended.h"

struct connection {
    struct channel *channel; /* NULL after the connection broke; `ended` then holds the reason */
    enum ended ended;
    int end; /* pipe through which the worker reports how the process at the other end ended */
};
/* Requests a connection from the worker at `control`. Returns NULL if out of memory or file descriptors. If the
 * worker has exited, the connection breaks on first use. */
struct connection *connection_new(int control);
void connection_free(struct connection *c);
/* Sends bytes without waiting for an answer. Returns false if the connection is broken. */
bool connection_put(struct connection *c, const void *from, size_t size);
/* Waits for bytes and receives them. Returns false if the connection is broken. */
bool connection_get(struct connection *c, void *to, size_t size);
/* Breaks the connection because the worker violated the protocol. Always returns false. */
bool connection_refuse(struct connection *c);

#endif
