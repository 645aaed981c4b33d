/* The worker: serves the simulator to a judge. See worker.h. */
#include "base/clock.h"
#include "device/worker.h"
#include "probes/wire.h"
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct device device_sim;
enum { MOST_DATA = 1 << 30, KEPT = 32 << 20, HELD_BACK = 5 /* milliseconds */ };
static const struct {
    int what;
    rlim_t soft, hard;
} limits[] = {
#ifndef __SANITIZE_ADDRESS__ /* which takes all addresses for its own use */
    {RLIMIT_AS, (rlim_t)3 << 30, (rlim_t)3 << 30},
#endif
    {RLIMIT_CPU, 300, 310}, /* SIGXCPU tells it from SIGKILL by others */
    {RLIMIT_FSIZE, 0, 0},
    {RLIMIT_CORE, 0, 0},
    {RLIMIT_NOFILE, 2 * WORKER_CONNECTIONS, 2 * WORKER_CONNECTIONS},
    {RLIMIT_NPROC, 4096, 4096}, /* of the user, who may have many others */
};

/* ---- one connection ------------------------------------------------------------------------- */
struct server;
struct served { /* a session */
    struct server *server;
    struct device_module *module;
    struct device_session *session;
    struct measurement measurement;
    bool measuring;
    char printed[WORKER_PRINTED];
    size_t printed_length;
    struct device_error error;
    enum device_status failed; /* a request without an answer */
    uint8_t *packed;
    size_t packed_length;
};
struct server {
    struct channel *channel;
    struct served session[WORKER_SESSIONS];
    double sent; /* when an answer last went out */
    /* what follows a request; what follows a reply */
    uint8_t *data;
    const void *extra;
    uint64_t length, extra_length;
};
static void keep_print(void *context, const char *text, size_t length) {
    struct served *s = context;
    const size_t room = sizeof s->printed - s->printed_length, n = length < room ? length : room;
    memcpy(s->printed + s->printed_length, text, n);
    s->printed_length += n;
}
static enum device_status out_of_memory(struct served *s) {
    return snprintf(s->error.message, sizeof s->error.message, "out of memory"), DEVICE_SETUP;
}

static enum device_status serve_close(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    (void)q, (void)r;
    if (s->measuring) measure_free(&s->measurement);
    if (s->session) device_sim.close(s->session);
    free(s->packed);
    s->measuring = false, s->session = NULL, s->packed = NULL;
    return DEVICE_OK;
}
static enum device_status serve_open(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    serve_close(s, q, r);
    struct device_options o = q->options;
    o.print = o.print ? keep_print : NULL, o.print_context = s;
    return device_sim.open(s->module, &o, &s->session, &s->error);
}
static enum device_status serve_alloc(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    const enum device_status status = device_sim.alloc(s->session, q->name, q->bytes, q->flags, &r->address, &s->error);
    if (status != DEVICE_OK || r->address == q->address) return status;
    return snprintf(s->error.message, sizeof s->error.message, "a buffer lies elsewhere"), DEVICE_SETUP;
}
static enum device_status serve_write(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    (void)r;
    return device_sim.write(s->session, q->address, s->server->data, q->length, &s->error);
}
static enum device_status serve_read(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    (void)r;
    uint8_t *to = q->bytes <= MOST_DATA ? realloc(s->server->data, q->bytes + 1) : NULL;
    if (!to) return out_of_memory(s);
    s->server->data = to;
    const enum device_status status = device_sim.read(s->session, q->address, to, q->bytes, &s->error);
    if (status == DEVICE_OK)
        s->server->length = q->bytes, s->server->extra = s->packed,
        s->server->extra_length = s->packed ? s->packed_length : 0;
    return status;
}
static enum device_status serve_variable(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    return device_sim.variable(s->session, q->name, &r->address, &r->bytes, &s->error);
}
/* Once a session: after its last launch, or when it is asked for. */
static void pack(struct served *s) {
    if (s->measuring) measure_end(&s->measurement);
    if (!s->packed) s->packed = wire_pack(&s->measurement, &s->packed_length);
    if (s->measuring) measure_free(&s->measurement);
    s->measuring = false;
}
static enum device_status serve_launch(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    (void)r;
    const void *params[WORKER_PARAMS];
    for (unsigned k = 0; k < WORKER_PARAMS; k++) params[k] = q->launch.param[k];
    if (q->launch.what && !s->measuring) {
        measure_begin(&s->measurement, q->launch.what);
        s->measurement.observed_block = q->launch.observed_block;
        s->measuring = true;
    }
    s->printed_length = 0;
    alarm(WORKER_SECONDS);
    const enum device_status status =
        device_sim.launch(s->session,
                          &(struct device_launch){.kernel = q->name,
                                                  .grid = q->launch.grid,
                                                  .block = q->launch.block,
                                                  .grid_yz = {q->launch.grid_yz[0], q->launch.grid_yz[1]},
                                                  .block_yz = {q->launch.block_yz[0], q->launch.block_yz[1]},
                                                  .dynamic_shared = q->launch.dynamic_shared,
                                                  .params = params,
                                                  .param_count = q->launch.param_count,
                                                  .param_bytes = q->launch.param_bytes,
                                                  .measurement = s->measuring ? &s->measurement : NULL},
                          NULL, &s->error);
    if (q->launch.last && s->measuring) pack(s);
    alarm(0);
    s->server->extra = s->printed, s->server->extra_length = s->printed_length;
    return status;
}
static enum device_status serve_release(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    (void)r;
    return device_sim.release(s->session, q->address, &s->error);
}
static enum device_status serve_measured(struct served *s, const struct worker_request *q, struct worker_reply *r) {
    (void)q, (void)r;
    alarm(WORKER_SECONDS);
    pack(s);
    alarm(0);
    s->server->extra = s->packed, s->server->extra_length = s->packed ? s->packed_length : 0;
    return s->packed ? DEVICE_OK : out_of_memory(s);
}
static const struct {
    enum device_status (*serve)(struct served *s, const struct worker_request *q, struct worker_reply *r);
    bool needs_session, answered;
} words[WORKER_WORDS] = {
    [WORKER_OPEN] = {serve_open, false, false},      [WORKER_CLOSE] = {serve_close, false, false},
    [WORKER_ALLOC] = {serve_alloc, true, false},     [WORKER_WRITE] = {serve_write, true, false},
    [WORKER_READ] = {serve_read, true, true},        [WORKER_VARIABLE] = {serve_variable, true, true},
    [WORKER_START] = {serve_launch, true, false},    [WORKER_LAUNCH] = {serve_launch, true, true},
    [WORKER_RELEASE] = {serve_release, true, false}, [WORKER_MEASURED] = {serve_measured, false, true},
};

/* Answers travel together, but none waits long. */
static bool answer(struct server *v, const struct served *s, struct worker_reply *r) {
    const bool good = r->status == DEVICE_OK;
    r->length = good ? v->length : sizeof s->error, r->extra = v->extra_length;
    if (!channel_put(v->channel, r, sizeof *r) ||
        !channel_put(v->channel, good ? (const void *)v->data : &s->error, r->length) ||
        !channel_put(v->channel, v->extra, r->extra))
        return false;
    const double now = clock_seconds();
    if (1000 * (now - v->sent) < HELD_BACK) return true;
    v->sent = now;
    return channel_send(v->channel);
}
/* What stands between a request and its handler; DEVICE_OK: nothing. */
static enum device_status obstacle(struct served *s, const struct worker_request *q) {
    const enum device_status failed = s->failed;
    if (words[q->word].answered || q->word == WORKER_CLOSE) s->failed = DEVICE_OK;
    if (failed != DEVICE_OK && q->word != WORKER_CLOSE) return failed;
    if (!words[q->word].needs_session || s->session) return DEVICE_OK;
    return snprintf(s->error.message, sizeof s->error.message, "no session is open"), DEVICE_SETUP;
}
static bool serve_one(struct server *v) {
    struct worker_request q;
    if (!channel_get(v->channel, &q, sizeof q) || q.word >= WORKER_WORDS || !words[q.word].serve) return false;
    uint8_t *room = q.length <= MOST_DATA ? realloc(v->data, q.length + 1) : NULL;
    if (!room || q.session >= WORKER_SESSIONS) return false;
    struct served *s = &v->session[q.session];
    v->data = room, v->length = v->extra_length = 0;
    if (!channel_get(v->channel, v->data, q.length)) return false;
    q.name[sizeof q.name - 1] = 0;
    struct worker_reply r = {.status = obstacle(s, &q)};
    if (r.status == DEVICE_OK) r.status = words[q.word].serve(s, &q, &r);
    const bool sent = !words[q.word].answered || answer(v, s, &r);
    if (!words[q.word].answered) s->failed = r.status;
    return sent;
}

/* ---- the process ---------------------------------------------------------------------------- */
/* Where the first buffer of a session lies: behind the module's variables. */
static enum device_status first_address(struct device_module *m, uint64_t *address, struct device_error *e) {
    struct device_session *s = NULL;
    enum device_status status = device_sim.open(m, &(struct device_options){0}, &s, e);
    if (status == DEVICE_OK) status = device_sim.alloc(s, "first", 0, 0, address, e);
    device_sim.close(s);
    return status;
}
static struct device_module *load(struct channel *c) {
    struct worker_request q;
    struct worker_reply r = {.status = DEVICE_OK};
    struct device_error error = {""};
    struct device_module *module = NULL;
    alarm(WORKER_SECONDS);
    const bool asked = channel_put(c, &r, sizeof r) && /* here it is */
                       channel_get(c, &q, sizeof q) && q.word == WORKER_LOAD && q.length <= MOST_DATA;
    char *ptx = asked ? malloc(q.length + 1) : NULL;
    if (!ptx || !channel_get(c, ptx, q.length)) return NULL;
    ptx[q.length] = 0, q.name[sizeof q.name - 1] = 0;
    r.status = device_sim.load(ptx, q.length, q.name, &module, &error);
    if (r.status == DEVICE_OK) r.status = first_address(module, &r.address, &error);
    if (r.status == DEVICE_OK) r.bytes = sim_variable_bytes(module);
    r.length = r.status == DEVICE_OK ? 0 : sizeof error;
    free(ptx);
    if (!channel_put(c, &r, sizeof r) || !channel_put(c, &error, r.length) || !channel_send(c)) return NULL;
    alarm(0);
    return module;
}
static _Noreturn void serve(struct device_module *module, int connection) {
    struct server *v = calloc(1, sizeof *v);
    if (!v || !(v->channel = channel_new(connection, 0))) _exit(1);
    for (unsigned k = 0; k < WORKER_SESSIONS; k++) v->session[k].server = v, v->session[k].module = module;
    while (serve_one(v)) continue;
    _exit(0);
}
/* The processes that serve, and the pipes through which their ends are told. */
struct served_ones {
    struct {
        pid_t pid; /* 0: free */
        int pipe;
    } at[WORKER_CONNECTIONS];
};
static void tell_ends(struct served_ones *all) {
    struct rusage used;
    int status;
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &used)) > 0;)
        for (unsigned k = 0; k < WORKER_CONNECTIONS; k++) {
            if (all->at[k].pid != pid) continue;
            const struct worker_end end = {.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                                           .resident_bytes = (uint64_t)used.ru_maxrss << 10};
            const ssize_t n = write(all->at[k].pipe, &end, sizeof end);
            (void)n; /* mostly nobody asks any more */
            close(all->at[k].pipe);
            all->at[k].pid = 0;
        }
}
static void start_serving(struct device_module *module, struct served_ones *all, int control, const int pair[2]) {
    unsigned free = 0;
    while (free < WORKER_CONNECTIONS && all->at[free].pid) free++;
    const pid_t pid = free < WORKER_CONNECTIONS && pair[0] >= 0 ? fork() : -1;
    if (pid == 0) {
        close(control);
        close(pair[1]);
        for (unsigned k = 0; k < WORKER_CONNECTIONS; k++)
            if (all->at[k].pid) close(all->at[k].pipe);
        signal(SIGCHLD, SIG_DFL);
        serve(module, pair[0]);
    }
    close(pair[0]);
    if (pid > 0)
        all->at[free].pid = pid, all->at[free].pipe = pair[1];
    else
        close(pair[1]);
}
static void wake(int signal) { (void)signal; }
int worker_main(int fd) {
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        setrlimit(limits[k].what, &(struct rlimit){limits[k].soft, limits[k].hard});
    struct channel *control = channel_new(fd, 0);
    struct device_module *module = control ? load(control) : NULL;
    struct served_ones all = {0};
    sigset_t child, none;
    sigemptyset(&none);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL); /* but while it waits */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = wake}, NULL);
    signal(SIGPIPE, SIG_IGN);
    mallopt(M_TRIM_THRESHOLD, KEPT); /* the next case takes what the last one gave back */
    mallopt(M_MMAP_THRESHOLD, KEPT);
    for (int pair[2]; module;) {
        struct pollfd asked = {fd, POLLIN, 0};
        const int ready = ppoll(&asked, 1, NULL, &none);
        if (ready < 0 && errno != EINTR) break;
        tell_ends(&all);
        if (ready <= 0) continue;
        if (!channel_receive_pair(fd, pair)) break;
        start_serving(module, &all, fd, pair);
    }
    return 0;
}
