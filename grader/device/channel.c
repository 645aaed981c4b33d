/* Bytes and file descriptors over a socket. See worker.h. */
#include "device/worker.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { ROOM = 32 << 10 };
struct channel {
    int fd;
    size_t out, first, last; /* bytes that wait to go; those that came in and were not taken: first to last */
    char going[ROOM], come[ROOM];
};
struct channel *channel_new(int fd, int seconds) {
    const struct timeval silence = {.tv_sec = seconds};
    struct channel *c = malloc(sizeof *c);
    if (!c || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence) ||
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence)) {
        close(fd);
        free(c);
        return NULL;
    }
    c->fd = fd, c->out = c->first = c->last = 0;
    return c;
}
void channel_free(struct channel *c) {
    if (c) close(c->fd);
    free(c);
}
static bool send_all(int fd, const char *from, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = send(fd, from + done, size - done, MSG_NOSIGNAL);
        if (n <= 0 && errno != EINTR) return false;
        if (n > 0) done += (size_t)n;
    }
    return true;
}
bool channel_send(struct channel *c) {
    const size_t n = c->out;
    c->out = 0;
    return send_all(c->fd, c->going, n);
}
bool channel_put(struct channel *c, const void *from, size_t size) {
    if (c->out + size > ROOM && !channel_send(c)) return false;
    if (size > ROOM) return send_all(c->fd, from, size);
    if (size) memcpy(c->going + c->out, from, size);
    c->out += size;
    return true;
}
/* Some bytes, at most `size`, of what comes in. */
static size_t receive(int fd, char *to, size_t size) {
    for (;;) {
        const ssize_t n = recv(fd, to, size, 0);
        if (n >= 0 || errno != EINTR) return n > 0 ? (size_t)n : 0;
    }
}
bool channel_get(struct channel *c, void *to, size_t size) {
    if (c->out && !channel_send(c)) return false;
    for (size_t done = 0; done < size;) {
        const size_t here = c->last - c->first, left = size - done;
        size_t n = here < left ? here : left;
        if (n)
            memcpy((char *)to + done, c->come + c->first, n), c->first += n;
        else if (left >= ROOM)
            n = receive(c->fd, (char *)to + done, left);
        else if (c->first = 0, !(c->last = receive(c->fd, c->come, ROOM)))
            return false;
        else
            continue;
        if (!n) return false;
        done += n;
    }
    return true;
}
bool channel_send_fd(int fd, int sent) {
    char byte = 0;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof sent);
    memcpy(CMSG_DATA(c), &sent, sizeof sent);
    ssize_t n;
    while ((n = sendmsg(fd, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
    return n == 1;
}
int channel_receive_fd(int fd) {
    char byte;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {&byte, 1};
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    ssize_t n;
    int got = -1;
    while ((n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
    if (n <= 0) return -2;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof got))
            memcpy(&got, CMSG_DATA(c), sizeof got);
    return got;
}
