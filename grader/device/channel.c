/* Sends and receives bytes and file descriptors through a socket. See worker.h. */
#include "device/worker.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    ROOM = 32 << 10,        /* size in bytes of the send buffer and, initially, of the receive buffer */
    MAX_WAITING = 128 << 20 /* maximum number of bytes received while sending */
};
struct channel {
    int fd, seconds;
    bool silent;
    size_t out, first, last, room; /* out: bytes to send; first, last: range of received bytes not yet read */
    char going[ROOM], *come;
};
struct channel *channel_new(int fd, int seconds) {
    const struct timeval silence = {.tv_sec = seconds};
    struct channel *c = malloc(sizeof *c);
    char *come = malloc(ROOM);
    if (!c || !come || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence)) {
        close(fd);
        free(come);
        free(c);
        return NULL;
    }
    c->fd = fd, c->seconds = seconds, c->silent = false, c->out = c->first = c->last = 0;
    c->come = come, c->room = ROOM;
    return c;
}
void channel_free(struct channel *c) {
    if (!c) return;
    close(c->fd);
    free(c->come);
    free(c);
}
bool channel_is_silent(const struct channel *c) { return c->silent; }

/* Receives at most `size` bytes. */
static size_t receive(struct channel *c, char *to, size_t size) {
    for (;;) {
        const ssize_t n = recv(c->fd, to, size, 0);
        if (n < 0 && errno == EINTR) continue;
        c->silent = n < 0 && errno == EAGAIN;
        return n > 0 ? (size_t)n : 0;
    }
}
/* Makes room for at least one more received byte. */
static bool make_room(struct channel *c) {
    if (c->first == c->last) c->first = c->last = 0;
    if (c->last < c->room) return true;
    char *more = c->room < MAX_WAITING ? realloc(c->come, 2 * c->room) : NULL;
    if (!more) return false;
    c->come = more, c->room *= 2;
    return true;
}
/* Waits until bytes can be sent, and receives bytes in the meantime, so that the two ends cannot deadlock. */
static bool wait_to_send(struct channel *c) {
    for (;;) {
        struct pollfd p = {c->fd, make_room(c) ? POLLIN | POLLOUT : POLLOUT, 0};
        const int ready = poll(&p, 1, c->seconds ? c->seconds * 1000 : -1);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return c->silent = true, false;
        if (p.revents & POLLOUT) return true;
        const size_t n = p.revents & POLLIN ? receive(c, c->come + c->last, c->room - c->last) : 0;
        if (!n) return false;
        c->last += n;
    }
}
static bool send_all(struct channel *c, const char *from, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = send(c->fd, from + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || (errno != EINTR && errno != EAGAIN) || (errno == EAGAIN && !wait_to_send(c)))
            return false;
    }
    return true;
}
bool channel_send(struct channel *c) {
    const size_t n = c->out;
    c->out = 0;
    return send_all(c, c->going, n);
}
bool channel_put(struct channel *c, const void *from, size_t size) {
    if (c->out + size > ROOM && !channel_send(c)) return false;
    if (size > ROOM) return send_all(c, from, size);
    if (size) memcpy(c->going + c->out, from, size);
    c->out += size;
    return true;
}
bool channel_get(struct channel *c, void *to, size_t size) {
    for (size_t done = 0; done < size;) {
        const size_t here = c->last - c->first, left = size - done;
        size_t n = here < left ? here : left;
        if (n)
            memcpy((char *)to + done, c->come + c->first, n), c->first += n;
        else if (c->out && !channel_send(c))
            return false;
        else if (c->last > c->first) /* received during wait_to_send() */
            continue;
        else if (left >= ROOM)
            n = receive(c, (char *)to + done, left);
        else if (c->first = 0, !(c->last = receive(c, c->come, c->room)))
            return false;
        else
            continue;
        if (!n) return false;
        done += n;
    }
    return true;
}
/* A control message with two file descriptors, aligned as the system requires. */
union pair {
    struct cmsghdr head;
    char room[CMSG_SPACE(2 * sizeof(int))];
};
bool channel_send_pair(int fd, const int pair[2]) {
    char byte = 0;
    union pair control = {0};
    struct iovec part = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(2 * sizeof *pair);
    memcpy(CMSG_DATA(c), pair, 2 * sizeof *pair);
    ssize_t n;
    while ((n = sendmsg(fd, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
    return n == 1;
}
bool channel_receive_pair(int fd, int pair[2]) {
    char byte;
    union pair control;
    struct iovec part = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    ssize_t n;
    pair[0] = pair[1] = -1;
    while ((n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
    for (struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL; c; c = CMSG_NXTHDR(&m, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(2 * sizeof *pair))
            memcpy(pair, CMSG_DATA(c), 2 * sizeof *pair);
    return n > 0;
}
