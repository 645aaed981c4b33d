/* The judge's end of a connection to a worker (worker.h), and how the process behind it came to its end. One thread has
 * it at a time. */
#ifndef DEVICE_CONNECTION_H
#define DEVICE_CONNECTION_H

#include "device/worker.h"
#include "sandbox/ended.h"

struct connection {
    struct channel *channel; /* NULL: broken; then */
    enum ended ended;
    int end; /* pipe: how the process behind it ended */
};
/* Asks the worker at `control` for one; NULL: out of memory or files. Where the worker is gone it breaks at once. */
struct connection *connection_new(int control);
void connection_free(struct connection *c);
/* Has bytes sent before anybody waits for an answer. False: it is broken. */
bool connection_put(struct connection *c, const void *from, size_t size);
/* Waits for bytes. False: it is broken. */
bool connection_get(struct connection *c, void *to, size_t size);
/* It has sent what no worker does; false. */
bool connection_refuse(struct connection *c);

#endif
