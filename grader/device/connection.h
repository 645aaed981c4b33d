/* The judge's end of a connection to a worker (worker.h), and how the process at the other end ended. Only one thread
 * at a time uses a connection. */
#ifndef DEVICE_CONNECTION_H
#define DEVICE_CONNECTION_H

#include "device/worker.h"
#include "sandbox/ended.h"

struct connection {
    struct channel *channel; /* NULL: the connection is broken, and `ended` says how */
    enum ended ended;
    int end; /* a pipe that reports how the process at the other end ended */
};
/* Requests a connection from the worker at `control`. NULL: out of memory or files. If the worker has exited, the
 * connection breaks at once. */
struct connection *connection_new(int control);
void connection_free(struct connection *c);
/* Sends bytes without waiting for an answer. False: the connection is broken. */
bool connection_put(struct connection *c, const void *from, size_t size);
/* Receives bytes, waiting for them. False: the connection is broken. */
bool connection_get(struct connection *c, void *to, size_t size);
/* Breaks the connection because the worker violated the protocol; returns false. */
bool connection_refuse(struct connection *c);

#endif
