/* The judge's side of a worker. See worker.h. */
#include "device/worker.h"
#include "probes/wire.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKER_FD = 3, MOST_IDLE = 64, PATIENCE = WORKER_SECONDS + WORKER_PATIENCE };

struct device_module {
    int fd; /* of control, where connections are asked for */
    struct channel *control;
    pid_t worker;
    uint64_t first;       /* address of a session's first buffer */
    pthread_mutex_t lock; /* of what follows: connections that wait for the next session */
    pid_t owner;          /* the process that they are of; a fork has to get its own */
    struct channel *idle[MOST_IDLE];
    unsigned idle_count;
};
struct device_session {
    struct device_module *module;
    struct channel *channel; /* NULL: broken */
    struct device_options options;
    uint64_t next;   /* address of the next buffer */
    uint8_t *packed; /* measurement that came with the data */
    size_t packed_length;
};
static enum device_status say(struct device_error *e, enum device_status status, const char *message) {
    return snprintf(e->message, sizeof e->message, "%s", message), status;
}

/* ---- a worker's life ------------------------------------------------------------------------ */
static _Noreturn void become_worker(char *const words[], int fd) {
    const int null = open("/dev/null", O_RDWR);
    if (fd == WORKER_FD ? fcntl(fd, F_SETFD, 0) : dup2(fd, WORKER_FD) < 0) _exit(1);
    for (int k = 0; k < WORKER_FD; k++) dup2(null, k);
    close_range(WORKER_FD + 1, ~0U, 0);
    execvp(words[0], words);
    _exit(127);
}
/* -1: it could not be started. */
static pid_t start_worker(struct device_module *m) {
    static const char *const command[] = {"/grade", WORKER_WORD, "3", NULL};
    char path[PATH_MAX];
    int ends[2];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    char **words = sandbox_words(&(struct sandbox){.shown = {{path, command[0]}}, .command = command});
    if (!words || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return sandbox_free(words), -1;
    const pid_t pid = fork();
    if (pid == 0) become_worker(words, ends[1]);
    close(ends[1]);
    sandbox_free(words);
    m->fd = ends[0], m->control = channel_new(ends[0], PATIENCE);
    return pid;
}
static void end_worker(struct device_module *m) {
    channel_free(m->control);
    if (m->worker > 0) {
        kill(m->worker, SIGKILL);
        while (waitpid(m->worker, NULL, 0) < 0 && errno == EINTR) continue;
    }
}
static enum device_status hand_over(struct device_module *m, const char *ptx, size_t length, const char *name,
                                    struct device_error *e) {
    struct worker_request q = {.word = WORKER_LOAD, .length = length};
    struct worker_reply r;
    snprintf(q.name, sizeof q.name, "%s", name);
    if (!m->control || !channel_get(m->control, &r, sizeof r))
        return say(e, DEVICE_SETUP, "the simulator did not start in its sandbox; --no-sandbox grades without one");
    if (!channel_put(m->control, &q, sizeof q) || !channel_put(m->control, ptx, length) ||
        !channel_get(m->control, &r, sizeof r))
        return snprintf(e->message, sizeof e->message,
                        "%s: the simulator was ended while it read the PTX: it took too much time or memory", name),
               DEVICE_SUBMISSION;
    if (r.status == DEVICE_OK) return m->first = r.address, DEVICE_OK;
    const bool told = channel_get(m->control, e, sizeof *e);
    e->message[sizeof e->message - 1] = 0;
    if (!told) say(e, DEVICE_SETUP, "the sandbox does not answer");
    return r.status == DEVICE_SETUP ? DEVICE_SETUP : DEVICE_SUBMISSION;
}
static enum device_status remote_present(struct device_error *e) {
    return sandbox_present(e->message, sizeof e->message) ? DEVICE_OK : DEVICE_ABSENT;
}
static enum device_status remote_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                      struct device_error *e) {
    *m = calloc(1, sizeof **m);
    if (!*m) return say(e, DEVICE_SETUP, "out of memory");
    enum device_status status;
    if (((*m)->worker = start_worker(*m)) < 0)
        status = say(e, DEVICE_SETUP, "the sandbox cannot be started: no more processes or files");
    else if ((status = hand_over(*m, ptx, length, name, e)) == DEVICE_OK)
        return pthread_mutex_init(&(*m)->lock, NULL), DEVICE_OK;
    else
        end_worker(*m);
    free(*m);
    *m = NULL;
    return status;
}
static void remote_unload(struct device_module *m) {
    if (!m) return;
    for (unsigned k = 0; m->owner == getpid() && k < m->idle_count; k++) channel_free(m->idle[k]);
    end_worker(m);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

/* ---- requests ------------------------------------------------------------------------------- */
static enum device_status broken(struct device_session *s, struct device_error *e) {
    channel_free(s->channel);
    s->channel = NULL;
    return say(e, DEVICE_SUBMISSION,
               "the simulator was ended: the kernel took too much time or memory, or brought it down");
}
static bool receive_message(struct device_session *s, const struct worker_reply *r, struct device_error *e) {
    const bool good = r->length == sizeof *e && channel_get(s->channel, e, sizeof *e);
    if (good) e->message[sizeof e->message - 1] = 0;
    return good;
}
/* What was printed goes to whoever wants it; the rest of the reply is the caller's. */
static bool receive_print(struct device_session *s, uint64_t length) {
    char printed[WORKER_PRINTED];
    if (length > sizeof printed || !channel_get(s->channel, printed, length)) return false;
    if (length && s->options.print) s->options.print(s->options.print_context, printed, length);
    return true;
}
/* Has a request with q->length bytes of `data` sent before the next that is answered. */
static enum device_status tell(struct device_session *s, const struct worker_request *q, const void *data,
                               struct device_error *e) {
    const bool put = s->channel && channel_put(s->channel, q, sizeof *q) && channel_put(s->channel, data, q->length);
    return put ? DEVICE_OK : broken(s, e);
}
/* Sends a request, and gets the reply's head; or the message of one that failed. */
static enum device_status ask(struct device_session *s, const struct worker_request *q, struct worker_reply *r,
                              struct device_error *e) {
    if (tell(s, q, NULL, e) != DEVICE_OK || !channel_get(s->channel, r, sizeof *r)) return broken(s, e);
    if (r->status == DEVICE_OK) return DEVICE_OK;
    if (!receive_message(s, r, e) || !receive_print(s, r->extra)) return broken(s, e);
    return r->status == DEVICE_SETUP ? DEVICE_SETUP : DEVICE_SUBMISSION;
}

/* ---- sessions ------------------------------------------------------------------------------- */
static struct channel *idle_connection(struct device_module *m) {
    struct channel *c = NULL;
    pthread_mutex_lock(&m->lock);
    if (m->owner != getpid()) { /* of the process before a fork */
        for (unsigned k = 0; k < m->idle_count; k++) channel_free(m->idle[k]);
        m->idle_count = 0, m->owner = getpid();
    }
    if (m->idle_count) c = m->idle[--m->idle_count];
    pthread_mutex_unlock(&m->lock);
    return c;
}
static void keep_connection(struct device_module *m, struct channel *c) {
    pthread_mutex_lock(&m->lock);
    const bool kept = m->owner == getpid() && m->idle_count < MOST_IDLE;
    if (kept) m->idle[m->idle_count++] = c;
    pthread_mutex_unlock(&m->lock);
    if (!kept) channel_free(c);
}
static struct channel *new_connection(struct device_module *m) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return NULL;
    const bool sent = channel_send_fd(m->fd, ends[1]);
    close(ends[1]);
    if (sent) return channel_new(ends[0], PATIENCE);
    close(ends[0]);
    return NULL;
}
static enum device_status remote_open(struct device_module *m, const struct device_options *o,
                                      struct device_session **s, struct device_error *e) {
    const struct worker_request q = {.word = WORKER_OPEN, .options = *o};
    *s = calloc(1, sizeof **s);
    if (!*s) return say(e, DEVICE_SETUP, "out of memory");
    struct channel *c = idle_connection(m);
    **s = (struct device_session){.module = m, .channel = c ? c : new_connection(m), .options = *o, .next = m->first};
    if (tell(*s, &q, NULL, e) == DEVICE_OK) return DEVICE_OK;
    free(*s);
    *s = NULL;
    return DEVICE_SUBMISSION;
}
static void remote_close(struct device_session *s) {
    static const struct worker_request q = {.word = WORKER_CLOSE};
    struct device_error e;
    if (!s) return;
    if (tell(s, &q, NULL, &e) == DEVICE_OK) keep_connection(s->module, s->channel);
    free(s->packed);
    free(s);
}
static enum device_status remote_alloc(struct device_session *s, const char *name, uint64_t bytes, unsigned flags,
                                       uint64_t *address, struct device_error *e) {
    struct worker_request q = {.word = WORKER_ALLOC, .address = s->next, .bytes = bytes, .flags = flags};
    snprintf(q.name, sizeof q.name, "%s", name);
    *address = s->next, s->next = sim_after(s->next, bytes);
    return tell(s, &q, NULL, e);
}
static enum device_status remote_write(struct device_session *s, uint64_t address, const void *from, uint64_t bytes,
                                       struct device_error *e) {
    const struct worker_request q = {.word = WORKER_WRITE, .address = address, .length = bytes};
    return tell(s, &q, from, e);
}
/* What was measured, which stands at the end of an answer. */
static bool receive_packed(struct device_session *s, uint64_t length) {
    if (!length) return true;
    free(s->packed);
    s->packed = length <= WIRE_MOST ? malloc(length) : NULL, s->packed_length = length;
    return s->packed && channel_get(s->channel, s->packed, length);
}
static enum device_status remote_read(struct device_session *s, uint64_t address, void *to, uint64_t bytes,
                                      struct device_error *e) {
    const struct worker_request q = {.word = WORKER_READ, .address = address, .bytes = bytes};
    struct worker_reply r = {0};
    const enum device_status status = ask(s, &q, &r, e);
    if (status != DEVICE_OK) return status;
    const bool good = r.length == bytes && channel_get(s->channel, to, bytes) && receive_packed(s, r.extra);
    return good ? DEVICE_OK : broken(s, e);
}
static enum device_status remote_variable(struct device_session *s, const char *name, uint64_t *address,
                                          uint64_t *bytes, struct device_error *e) {
    struct worker_request q = {.word = WORKER_VARIABLE};
    struct worker_reply r = {0};
    snprintf(q.name, sizeof q.name, "%s", name);
    const enum device_status status = ask(s, &q, &r, e);
    *address = r.address, *bytes = r.bytes;
    return status == DEVICE_OK && (r.length || r.extra) ? broken(s, e) : status;
}
static enum device_status remote_launch(struct device_session *s, const struct device_launch *l, double *nanoseconds,
                                        struct device_error *e) {
    struct worker_request q = {.word = s->options.print ? WORKER_LAUNCH : WORKER_START};
    struct worker_reply r = {0};
    if (nanoseconds) *nanoseconds = 0;
    if (l->listener_count || l->param_count > WORKER_PARAMS || (l->param_count && !l->param_bytes))
        return say(e, DEVICE_SETUP, "a launch that the sandbox does not take");
    snprintf(q.name, sizeof q.name, "%s", l->kernel);
    q.launch.grid = l->grid, q.launch.block = l->block, q.launch.dynamic_shared = l->dynamic_shared;
    memcpy(q.launch.grid_yz, l->grid_yz, sizeof l->grid_yz);
    memcpy(q.launch.block_yz, l->block_yz, sizeof l->block_yz);
    q.launch.what = l->measurement ? l->measurement->what : 0;
    q.launch.observed_block = l->measurement ? l->measurement->observed_block : 0;
    q.launch.param_count = l->param_count, q.launch.last = l->last;
    for (unsigned k = 0; k < l->param_count; k++) {
        if (l->param_bytes[k] > WORKER_PARAM_BYTES) return say(e, DEVICE_SETUP, "a parameter of over 8 bytes");
        q.launch.param_bytes[k] = l->param_bytes[k];
        memcpy(q.launch.param[k], l->params[k], l->param_bytes[k]);
    }
    if (q.word == WORKER_START) return tell(s, &q, NULL, e);
    const enum device_status status = ask(s, &q, &r, e);
    if (status != DEVICE_OK) return status;
    return !r.length && receive_print(s, r.extra) ? DEVICE_OK : broken(s, e);
}
static enum device_status remote_release(struct device_session *s, uint64_t address, struct device_error *e) {
    const struct worker_request q = {.word = WORKER_RELEASE, .address = address};
    return tell(s, &q, NULL, e);
}
static enum device_status remote_measured(struct device_session *s, struct measurement *m, struct device_error *e) {
    const struct worker_request q = {.word = WORKER_MEASURED};
    struct worker_reply r = {0};
    if (!s->packed) {
        const enum device_status status = ask(s, &q, &r, e);
        if (status != DEVICE_OK) return status;
        if (r.length || !receive_packed(s, r.extra)) return broken(s, e);
    }
    const bool good = s->packed && wire_unpack(m, s->packed, s->packed_length);
    free(s->packed);
    s->packed = NULL;
    return good ? DEVICE_OK : broken(s, e);
}

const struct device device_worker = {.name = "sim",
                                     .summary = "the simulator in a sandbox",
                                     .measures = true,
                                     .present = remote_present,
                                     .load = remote_load,
                                     .unload = remote_unload,
                                     .open = remote_open,
                                     .close = remote_close,
                                     .alloc = remote_alloc,
                                     .write = remote_write,
                                     .read = remote_read,
                                     .variable = remote_variable,
                                     .launch = remote_launch,
                                     .release = remote_release,
                                     .measured = remote_measured};
