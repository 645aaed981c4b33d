/* The judge's side of a worker. See worker.h. */
#include "device/connection.h"
#include "probes/wire.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL_VARIABLES = 1 << 20, WORKER_FD = 3, MOST_IDLE = 64, PATIENCE = WORKER_SECONDS + WORKER_PATIENCE };
static atomic_uint interruptions;

struct device_module {
    int fd; /* of control, where connections are asked for */
    struct channel *control;
    pid_t worker;
    uint64_t first; /* address of a session's first buffer */
    uint64_t variable_bytes;
    pthread_mutex_t lock; /* of what follows: connections that wait for the next session */
    pid_t owner;          /* the process that they are of; a fork has to get its own */
    struct connection *idle[MOST_IDLE];
    unsigned idle_count;
};
struct device_session {
    struct device_module *module;
    struct connection *connection;
    unsigned slot; /* the session's number there */
    struct device_options options;
    uint64_t next;                     /* address of the next buffer */
    uint64_t expected, expected_bytes; /* read that has been asked for */
    bool expects;
    uint8_t *packed; /* measurement that came with the data */
    size_t packed_length;
};
/* The connection that this thread's sessions share, while there are any. */
static _Thread_local struct {
    struct device_module *module;
    struct connection *connection;
} shared;

static enum device_status say(struct device_error *e, enum device_status status, const char *message) {
    return snprintf(e->message, sizeof e->message, "%s", message), status;
}
unsigned worker_interruptions(void) { return interruptions; }
/* What it says of a submission that the simulator has come to such an end with it. */
static enum device_status say_end(struct device_error *e, enum ended ended) {
    static const char *const what[] = {
        [ENDED_TIME] = "the simulator was ended: the kernel took too much time",
        [ENDED_MEMORY] = "the simulator was ended: the kernel took too much memory",
        [ENDED_CRASH] = "the simulator was ended: the kernel brought it down",
        [ENDED_OUTSIDE] = "a process of the simulator was ended from outside: by the machine, short of memory, or by "
                          "somebody"};
    if (ended == ENDED_OUTSIDE) interruptions++;
    return say(e, ended == ENDED_OUTSIDE ? DEVICE_SETUP : DEVICE_SUBMISSION, what[ended]);
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
    if (pid == 0) setpgid(0, 0), become_worker(words, ends[1]);
    close(ends[1]);
    sandbox_free(words);
    m->fd = ends[0], m->control = channel_new(ends[0], PATIENCE);
    return pid;
}
static void end_worker(struct device_module *m) {
    channel_free(m->control);
    if (m->worker > 0) {
        kill(m->worker, SIGKILL);
        sandbox_end(m->worker);
        while (waitpid(m->worker, NULL, 0) < 0 && errno == EINTR) continue;
    }
    m->control = NULL, m->worker = 0;
}
/* Why a worker that has not been asked to has ended: bubblewrap exits with 128 and the signal. */
static enum ended end_of_worker(struct device_module *m) {
    struct rusage used;
    int status = 0;
    pid_t gone = 0;
    for (unsigned k = 0; k < 100 && !(gone = wait4(m->worker, &status, WNOHANG, &used)); k++) usleep(20000);
    if (gone != m->worker) return ENDED_CRASH; /* it closed its end, and is still there */
    sandbox_end(m->worker);
    m->worker = 0;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
    return ended_by(signal > 0 ? signal : 0, (size_t)used.ru_maxrss << 10);
}
static enum device_status ended_in_load(struct device_module *m, const char *name, struct device_error *e) {
    const enum ended ended = channel_is_silent(m->control) ? ENDED_TIME : end_of_worker(m);
    if (ended == ENDED_OUTSIDE) return say_end(e, ended);
    snprintf(e->message, sizeof e->message, "%s: the simulator was ended while it read the PTX: it took too much %s",
             name, ended == ENDED_TIME ? "time" : "memory");
    return DEVICE_SUBMISSION;
}
/* Until it says that it is there; false: it has ended before. */
static bool wait_for_worker(const struct device_module *m) {
    struct pollfd p[2] = {{m->fd, POLLIN, 0}, {sandbox_watch(m->worker), POLLIN, 0}};
    int ready;
    while ((ready = poll(p, 2, PATIENCE * 1000)) < 0 && errno == EINTR) continue;
    if (p[1].fd >= 0) close(p[1].fd);
    return ready > 0 && p[0].revents;
}
static enum device_status hand_over(struct device_module *m, const char *ptx, size_t length, const char *name,
                                    struct device_error *e) {
    struct worker_request q = {.word = WORKER_LOAD, .length = length};
    struct worker_reply r;
    snprintf(q.name, sizeof q.name, "%s", name);
    if (!m->control || !wait_for_worker(m) || !channel_get(m->control, &r, sizeof r))
        return say(e, DEVICE_SETUP, "the simulator did not start in its sandbox; --no-sandbox grades without one");
    if (!channel_put(m->control, &q, sizeof q) || !channel_put(m->control, ptx, length) ||
        !channel_get(m->control, &r, sizeof r))
        return ended_in_load(m, name, e);
    if (r.status == DEVICE_OK) return m->first = r.address, m->variable_bytes = r.bytes, DEVICE_OK;
    const bool told = channel_get(m->control, e, sizeof *e);
    e->message[sizeof e->message - 1] = 0;
    if (!told) say(e, DEVICE_SETUP, "the sandbox does not answer");
    return DEVICE_SUBMISSION;
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
    for (unsigned k = 0; m->owner == getpid() && k < m->idle_count; k++) connection_free(m->idle[k]);
    end_worker(m);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

/* ---- requests ------------------------------------------------------------------------------- */
static enum device_status broken(const struct device_session *s, struct device_error *e) {
    return say_end(e, s->connection->ended);
}
static enum device_status nonsense(const struct device_session *s, struct device_error *e) {
    connection_refuse(s->connection);
    return broken(s, e);
}
static enum device_status tell(const struct device_session *s, struct worker_request *q, const void *data,
                               struct device_error *e) {
    q->session = s->slot;
    return connection_tell(s->connection, q, data) ? DEVICE_OK : broken(s, e);
}
/* What was printed goes to whoever wants it. */
static void hand_on(const struct device_session *s, const struct answer *a) {
    if (a->head.extra && s->options.print)
        s->options.print(s->options.print_context, (const char *)a->extra, a->head.extra);
}
/* The answer to what was asked last; or the message of a request that failed. */
static enum device_status answer(const struct device_session *s, const struct answer **a, struct device_error *e) {
    *a = connection_answer(s->connection, s->slot);
    if (!*a) return broken(s, e);
    if ((*a)->head.status == DEVICE_OK) return DEVICE_OK;
    memcpy(e, (*a)->data, sizeof *e);
    e->message[sizeof e->message - 1] = 0;
    hand_on(s, *a);
    return DEVICE_SUBMISSION; /* also where it has no memory left: its limits are the same for all */
}
static enum device_status ask(const struct device_session *s, struct worker_request *q, uint64_t most,
                              uint64_t most_extra, const struct answer **a, struct device_error *e) {
    q->session = s->slot;
    if (most_extra < WORKER_PRINTED) most_extra = WORKER_PRINTED; /* of a launch that failed */
    return connection_ask(s->connection, q, most, most_extra) ? answer(s, a, e) : broken(s, e);
}

/* ---- sessions ------------------------------------------------------------------------------- */
static struct connection *idle_connection(struct device_module *m) {
    struct connection *c = NULL;
    pthread_mutex_lock(&m->lock);
    if (m->owner != getpid()) { /* of the process before a fork */
        for (unsigned k = 0; k < m->idle_count; k++) connection_free(m->idle[k]);
        m->idle_count = 0, m->owner = getpid();
    }
    if (m->idle_count) c = m->idle[--m->idle_count];
    pthread_mutex_unlock(&m->lock);
    return c;
}
static void keep_connection(struct device_module *m, struct connection *c) {
    pthread_mutex_lock(&m->lock);
    const bool kept = c->channel && m->owner == getpid() && m->idle_count < MOST_IDLE;
    if (kept) m->idle[m->idle_count++] = c;
    pthread_mutex_unlock(&m->lock);
    if (!kept) connection_free(c);
}
static bool has_room(const struct connection *c) { return c->channel && c->open != (1u << WORKER_SESSIONS) - 1; }
/* That of the thread's other sessions, if there are any; or one that waits, or a new one. */
static struct connection *take_connection(struct device_module *m) {
    if (shared.module == m && has_room(shared.connection)) return shared.connection;
    struct connection *c = idle_connection(m);
    if (!c) c = connection_new(m->fd);
    if (c && !shared.module) shared.module = m, shared.connection = c;
    return c;
}
static void give_slot_back(struct device_session *s) {
    struct connection *c = s->connection;
    c->open &= ~(1u << s->slot);
    if (c->open) return;
    if (shared.connection == c) shared.module = NULL, shared.connection = NULL;
    if (c->channel && s->module->variable_bytes > SMALL_VARIABLES) channel_send(c->channel); /* gives its memory back */
    keep_connection(s->module, c);
}
static enum device_status remote_open(struct device_module *m, const struct device_options *o,
                                      struct device_session **s, struct device_error *e) {
    struct worker_request q = {.word = WORKER_OPEN, .options = *o};
    struct connection *c = m ? take_connection(m) : NULL;
    *s = c ? calloc(1, sizeof **s) : NULL;
    if (!*s) return say_end(e, ENDED_OUTSIDE); /* no more memory or files, or no worker */
    **s = (struct device_session){.module = m, .connection = c, .options = *o, .next = m->first};
    while (c->open >> (*s)->slot & 1) (*s)->slot++;
    c->open |= 1u << (*s)->slot;
    const enum device_status status = tell(*s, &q, NULL, e);
    if (status == DEVICE_OK) return DEVICE_OK;
    give_slot_back(*s);
    free(*s);
    *s = NULL;
    return status;
}
static void remote_close(struct device_session *s) {
    struct worker_request q = {.word = WORKER_CLOSE};
    struct device_error e;
    if (!s) return;
    if (s->connection->channel) {
        connection_answer(s->connection, s->slot); /* of a read that nobody came for */
        tell(s, &q, NULL, &e);
    }
    give_slot_back(s);
    free(s->packed);
    free(s);
}
static unsigned remote_at_once(const struct device_module *m) {
    return m && m->variable_bytes <= SMALL_VARIABLES ? DEVICE_AT_ONCE : 1;
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
    struct worker_request q = {.word = WORKER_WRITE, .address = address, .length = bytes};
    return tell(s, &q, from, e);
}
static enum device_status remote_expect(struct device_session *s, uint64_t address, uint64_t bytes,
                                        struct device_error *e) {
    const struct worker_request q = {.word = WORKER_READ, .session = s->slot, .address = address, .bytes = bytes};
    s->expects = true, s->expected = address, s->expected_bytes = bytes;
    return connection_ask(s->connection, &q, bytes, WIRE_MOST) ? DEVICE_OK : broken(s, e);
}
/* What was measured, which stands at the end of an answer. */
static bool keep_packed(struct device_session *s, const struct answer *a) {
    if (!a->head.extra) return true;
    free(s->packed);
    s->packed = malloc(a->head.extra), s->packed_length = a->head.extra;
    return s->packed && memcpy(s->packed, a->extra, a->head.extra);
}
static enum device_status remote_read(struct device_session *s, uint64_t address, void *to, uint64_t bytes,
                                      struct device_error *e) {
    const struct answer *a;
    enum device_status status = DEVICE_OK;
    if (!s->expects || s->expected != address || s->expected_bytes != bytes)
        status = remote_expect(s, address, bytes, e);
    s->expects = false;
    if (status != DEVICE_OK || (status = answer(s, &a, e)) != DEVICE_OK) return status;
    if (a->head.length != bytes || !keep_packed(s, a)) return nonsense(s, e);
    memcpy(to, a->data, bytes);
    return DEVICE_OK;
}
static enum device_status remote_variable(struct device_session *s, const char *name, uint64_t *address,
                                          uint64_t *bytes, struct device_error *e) {
    struct worker_request q = {.word = WORKER_VARIABLE};
    const struct answer *a;
    snprintf(q.name, sizeof q.name, "%s", name);
    const enum device_status status = ask(s, &q, 0, 0, &a, e);
    if (status == DEVICE_OK) *address = a->head.address, *bytes = a->head.bytes;
    return status;
}
static enum device_status remote_launch(struct device_session *s, const struct device_launch *l, double *nanoseconds,
                                        struct device_error *e) {
    struct worker_request q = {.word = s->options.print ? WORKER_LAUNCH : WORKER_START};
    const struct answer *a;
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
    const enum device_status status = ask(s, &q, 0, WORKER_PRINTED, &a, e);
    if (status == DEVICE_OK) hand_on(s, a);
    return status;
}
static enum device_status remote_release(struct device_session *s, uint64_t address, struct device_error *e) {
    struct worker_request q = {.word = WORKER_RELEASE, .address = address};
    return tell(s, &q, NULL, e);
}
static enum device_status remote_measured(struct device_session *s, struct measurement *m, struct device_error *e) {
    struct worker_request q = {.word = WORKER_MEASURED};
    const struct answer *a;
    if (!s->packed) {
        const enum device_status status = ask(s, &q, 0, WIRE_MOST, &a, e);
        if (status != DEVICE_OK) return status;
        if (!keep_packed(s, a)) return nonsense(s, e);
    }
    const bool good = s->packed && wire_unpack(m, s->packed, s->packed_length);
    free(s->packed);
    s->packed = NULL;
    return good ? DEVICE_OK : nonsense(s, e);
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
                                     .at_once = remote_at_once,
                                     .expect = remote_expect,
                                     .read = remote_read,
                                     .variable = remote_variable,
                                     .launch = remote_launch,
                                     .release = remote_release,
                                     .measured = remote_measured};
