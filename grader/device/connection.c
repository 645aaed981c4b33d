/* See connection.h. */
#include "device/connection.h"
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection *connection_new(int control) {
    int ends[2], pipes[2];
    struct connection *c = calloc(1, sizeof *c);
    if (!c || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return free(c), NULL;
    if (pipe2(pipes, O_CLOEXEC)) return close(ends[0]), close(ends[1]), free(c), NULL;
    channel_send_pair(control, (int[2]){ends[1], pipes[1]}); /* if the message cannot be sent, the connection breaks */
    close(ends[1]);
    close(pipes[1]);
    c->end = pipes[0], c->channel = channel_new(ends[0], WORKER_SECONDS + WORKER_PATIENCE);
    c->ended = ENDED_OUTSIDE; /* the cause if there is no memory for a channel */
    return c;
}
void connection_free(struct connection *c) {
    if (!c) return;
    channel_free(c->channel);
    close(c->end);
    free(c);
}

/* ---- the end -------------------------------------------------------------------------------- */
/* Determines how the process at the other end of a broken connection ended. */
static enum ended end_of(const struct connection *c) {
    struct worker_end end;
    struct pollfd ready = {c->end, POLLIN, 0};
    if (channel_is_silent(c->channel))
        return ENDED_OUTSIDE; /* no reply within the wall-clock limit: the machine is busy */
    if (poll(&ready, 1, WORKER_PATIENCE * 1000) <= 0)
        return ENDED_CRASH; /* the process broke the connection but still runs */
    const ssize_t n = read(c->end, &end, sizeof end);
    /* If nothing was read, the worker itself has exited. */
    return n == sizeof end ? ended_by(end.signal, end.resident_bytes) : ENDED_OUTSIDE;
}
static bool broken(struct connection *c, enum ended ended) {
    channel_free(c->channel);
    c->channel = NULL, c->ended = ended;
    return false;
}
bool connection_refuse(struct connection *c) { return c->channel && broken(c, ENDED_CRASH); }
bool connection_put(struct connection *c, const void *from, size_t size) {
    return c->channel && (channel_put(c->channel, from, size) || broken(c, end_of(c)));
}
bool connection_get(struct connection *c, void *to, size_t size) {
    return c->channel && (channel_get(c->channel, to, size) || broken(c, end_of(c)));
}
