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
    channel_send_pair(control, (int[2]){ends[1], pipes[1]}); /* if it cannot be sent, both are closed */
    close(ends[1]);
    close(pipes[1]);
    c->end = pipes[0], c->channel = channel_new(ends[0], WORKER_SECONDS + WORKER_PATIENCE);
    return c;
}
static void forget(struct answer *a) {
    free(a->data);
    free(a->extra);
    *a = (struct answer){0};
}
void connection_free(struct connection *c) {
    if (!c) return;
    for (unsigned k = 0; k < WORKER_SESSIONS; k++) forget(&c->answer[k]);
    channel_free(c->channel);
    close(c->end);
    free(c);
}

/* ---- the end -------------------------------------------------------------------------------- */
/* How the process behind a connection that broke has ended. */
static enum ended end_of(const struct connection *c) {
    struct worker_end end;
    struct pollfd told = {c->end, POLLIN, 0};
    if (channel_is_silent(c->channel)) return ENDED_TIME;
    if (poll(&told, 1, WORKER_PATIENCE * 1000) <= 0) return ENDED_CRASH; /* it has broken the connection itself */
    const ssize_t n = read(c->end, &end, sizeof end);
    return n == sizeof end ? ended_by(end.signal, end.resident_bytes) : ENDED_OUTSIDE; /* the worker has ended, too */
}
static bool broken(struct connection *c, enum ended ended) {
    channel_free(c->channel);
    c->channel = NULL, c->ended = ended;
    return false;
}
void connection_refuse(struct connection *c) {
    if (c->channel) broken(c, ENDED_CRASH);
}

/* ---- asking --------------------------------------------------------------------------------- */
bool connection_tell(struct connection *c, const struct worker_request *q, const void *data) {
    if (!c->channel) return false;
    return (channel_put(c->channel, q, sizeof *q) && channel_put(c->channel, data, q->length)) || broken(c, end_of(c));
}
bool connection_ask(struct connection *c, const struct worker_request *q, uint64_t most, uint64_t most_extra) {
    struct answer *a = &c->answer[q->session];
    if (a->state == ANSWER_AWAITED && !connection_answer(c, q->session)) return false;
    forget(a);
    if (!connection_tell(c, q, NULL)) return false;
    a->state = ANSWER_AWAITED, a->most = most, a->most_extra = most_extra;
    c->order[c->asked++] = q->session;
    return true;
}
static bool receive_bytes(struct connection *c, uint8_t **data, uint64_t length, uint64_t most) {
    if (length > most || !(*data = malloc(length + 1))) return broken(c, ENDED_CRASH);
    return channel_get(c->channel, *data, length) || broken(c, end_of(c));
}
static bool receive(struct connection *c, struct answer *a) {
    if (!channel_get(c->channel, &a->head, sizeof a->head)) return broken(c, end_of(c));
    const bool good = a->head.status == DEVICE_OK;
    if (!good && a->head.length != sizeof(struct device_error)) return broken(c, ENDED_CRASH);
    return receive_bytes(c, &a->data, a->head.length, good ? a->most : sizeof(struct device_error)) &&
           receive_bytes(c, &a->extra, a->head.extra, a->most_extra);
}
const struct answer *connection_answer(struct connection *c, unsigned k) {
    while (c->channel && c->answer[k].state == ANSWER_AWAITED) {
        struct answer *next = &c->answer[c->order[0]];
        memmove(c->order, c->order + 1, --c->asked * sizeof *c->order);
        if (receive(c, next)) next->state = ANSWER_HERE;
    }
    return c->answer[k].state == ANSWER_HERE ? &c->answer[k] : NULL;
}
