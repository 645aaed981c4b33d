/* Runs the simulator for a judge in the worker's process. See worker.h. */
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
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct device device_sim;
enum { MAX_DATA = 1 << 30, KEPT = 32 << 20, HELD_BACK = 5 /* milliseconds */ };
static const struct {
    int what;
    rlim_t soft, hard;
} limits[] = {
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer reserves address space for its own use */
    {RLIMIT_AS, (rlim_t)3 << 30, (rlim_t)3 << 30},
#endif
    {RLIMIT_CPU, 300, 310}, /* Linux sends SIGXCPU at the soft limit, so a SIGKILL comes from outside */
    {RLIMIT_FSIZE, 0, 0},
    {RLIMIT_CORE, 0, 0},
    {RLIMIT_NOFILE, 2 * WORKER_CONNECTIONS, 2 * WORKER_CONNECTIONS},
    {RLIMIT_NPROC, 4096, 4096}, /* RLIMIT_NPROC applies to all processes of the user, who may have many others */
};

/* Limits CPU time and wall-clock time, after which signals end the process. 0, 0 removes the limits. */
static void watch(unsigned cpu_seconds, unsigned seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = (time_t)cpu_seconds}}, NULL);
    alarm(seconds);
}

/* ---- one connection ------------------------------------------------------------------------- */
struct server {
    struct channel *channel;
    struct device_module *module;
    double sent; /* time of the last reply */
};
/* Data that follows a request. Each part is NUL-terminated. */
struct parts {
    char *name;
    uint8_t *plan, *data;
};
static bool get_part(struct channel *c, void *part, uint64_t bytes) {
    uint8_t *room = bytes <= MAX_DATA ? malloc(bytes + 1) : NULL;
    memcpy(part, &room, sizeof room);
    if (room) room[bytes] = 0;
    return room && channel_get(c, room, bytes);
}
static bool get_request(struct channel *c, struct worker_request *q, struct parts *p) {
    *p = (struct parts){0};
    return channel_get(c, q, sizeof *q) && q->word < WORKER_WORDS && get_part(c, &p->name, q->name_bytes) &&
           get_part(c, &p->plan, q->plan_bytes) && get_part(c, &p->data, q->data_bytes);
}
static void free_parts(const struct parts *p) { free(p->name), free(p->plan), free(p->data); }

/* A reply and the data that follows it. */
struct answer {
    struct worker_reply reply;
    uint8_t *outputs, *measured;
    char printed[WORKER_PRINTED + 1];
    struct device_error error;
};
/* Sends a reply. Batches replies, but delays each of them only briefly. */
static bool send_answer(struct server *v, struct answer *t) {
    struct worker_reply *r = &t->reply;
    const double now = clock_seconds();
    r->printed_bytes = strlen(t->printed);
    r->message_bytes = r->status == DEVICE_OK ? 0 : strlen(t->error.message);
    if (!channel_put(v->channel, r, sizeof *r) || !channel_put(v->channel, t->outputs, r->output_bytes) ||
        !channel_put(v->channel, t->printed, r->printed_bytes) ||
        !channel_put(v->channel, t->measured, r->measured_bytes) ||
        !channel_put(v->channel, t->error.message, r->message_bytes))
        return false;
    if (1000 * (now - v->sent) < HELD_BACK) return true;
    v->sent = now;
    return channel_send(v->channel);
}
static void set_status(struct answer *t, enum device_status status, const char *message) {
    t->reply.status = status;
    snprintf(t->error.message, sizeof t->error.message, "%s", message);
}
/* Sets the start of each input. Returns false if the sizes do not match the received data. */
static bool find_inputs(const struct plan *p, const struct worker_request *q, const struct parts *parts,
                        const void **inputs) {
    uint64_t at = 0;
    for (unsigned k = 0; k < plan_inputs(p); k++) inputs[k] = parts->data + at, at += plan_input_bytes(p, k);
    return at == q->data_bytes;
}
static void pack(struct answer *t, struct measurement *m) {
    size_t length = 0;
    t->measured = wire_pack(m, &length);
    t->reply.measured_bytes = t->measured ? length : 0;
    if (!t->measured) set_status(t, DEVICE_SETUP, "out of memory");
}
static void run(struct server *v, const struct worker_request *q, const struct plan *plan, const void *const *inputs,
                struct answer *t) {
    struct measurement m;
    struct device_run r = {
        .plan = plan,
        .module = {v->module},
        .options = {.seed = q->seed,
                    .shuffle = q->shuffle,
                    .schedule = {q->chosen, q->falling, q->block, q->warp, q->lane, q->stale, q->turn},
                    .budget = q->budget,
                    .cores = q->cores,
                    .cooperative = q->cooperative,
                    .products = q->products,
                    .no_exchange = q->no_exchange,
                    .advance = q->advance},
        .inputs = inputs,
        .what = q->what,
        .observed_block = q->observed_block,
        .observed_launch = q->observed_launch,
        .measured = q->measures ? &m : NULL,
        .outputs = t->outputs,
        .printed = q->prints ? t->printed : NULL,
        .printed_room = sizeof t->printed};
    device_sim.run(&r, 1);
    t->reply.status = r.status, t->error = r.error, t->reply.launch = r.launch, t->reply.reads = r.reads;
    t->reply.work = r.work, t->reply.effort = r.effort;
    t->reply.output_bytes = plan_read_at(plan, r.reads);
    if (!q->measures) return;
    pack(t, &m);
    measure_free(&m);
}
static void serve_run(struct server *v, const struct worker_request *q, const struct parts *parts, struct answer *t) {
    struct plan plan;
    const bool good = plan_unpack(&plan, parts->plan, q->plan_bytes);
    const void **inputs = good ? calloc(plan_inputs(&plan) + 1, sizeof *inputs) : NULL;
    const uint64_t outputs = good ? plan_read_at(&plan, plan.reads) : 0;
    t->outputs = outputs <= MAX_DATA ? malloc(outputs + 1) : NULL;
    if (!good || !inputs || !find_inputs(&plan, q, parts, inputs))
        set_status(t, DEVICE_SETUP, "this is not a plan");
    else if (!t->outputs)
        set_status(t, DEVICE_SETUP, "out of memory");
    else
        run(v, q, &plan, inputs, t);
    free(inputs);
    plan_free(&plan);
}
static void serve_variable(struct server *v, const struct parts *parts, struct answer *t) {
    uint64_t bytes = 0;
    t->outputs = calloc(1, WORKER_VALUE);
    if (!t->outputs) return set_status(t, DEVICE_SETUP, "out of memory");
    t->reply.status = device_sim.variable(v->module, parts->name, t->outputs, WORKER_VALUE, &bytes, &t->error);
    t->reply.bytes = bytes;
    if (t->reply.status == DEVICE_OK) t->reply.output_bytes = bytes < WORKER_VALUE ? bytes : WORKER_VALUE;
}
static bool serve_one(struct server *v) {
    struct worker_request q;
    struct parts parts;
    struct answer *t = calloc(1, sizeof *t);
    bool ok = t && get_request(v->channel, &q, &parts) && q.word != WORKER_LOAD;
    if (ok) {
        watch(WORKER_CPU_SECONDS, WORKER_SECONDS);
        if (q.word == WORKER_RUN)
            serve_run(v, &q, &parts, t);
        else
            serve_variable(v, &parts, t);
        watch(0, 0);
        free_parts(&parts);
        ok = send_answer(v, t);
        free(t->outputs);
        free(t->measured);
    }
    free(t);
    return ok;
}

/* ---- the process ---------------------------------------------------------------------------- */
static struct device_module *receive_module(struct channel *c) {
    struct worker_request q;
    struct worker_reply r = {.status = DEVICE_OK};
    struct device_error error = {""};
    struct device_module *module = NULL;
    struct parts parts;
    watch(WORKER_CPU_SECONDS, WORKER_SECONDS);
    if (!channel_put(c, &r, sizeof r) || /* get_request() sends it */
        !get_request(c, &q, &parts) || q.word != WORKER_LOAD)
        return NULL;
    r.status = device_sim.load((char *)parts.data, q.data_bytes, parts.name, &module, &error);
    r.message_bytes = r.status == DEVICE_OK ? 0 : strlen(error.message);
    free_parts(&parts);
    if (!channel_put(c, &r, sizeof r) || !channel_put(c, error.message, r.message_bytes) || !channel_send(c))
        return NULL;
    watch(0, 0);
    return module;
}
static _Noreturn void serve(struct device_module *module, int connection) {
    struct server v = {.module = module, .channel = channel_new(connection, 0)};
    while (v.channel && serve_one(&v)) continue;
    _exit(v.channel == NULL);
}
/* Processes that serve connections, and the pipes through which to report how they ended. */
struct served {
    struct {
        pid_t pid; /* 0 if the slot is free */
        int pipe;
    } at[WORKER_CONNECTIONS];
};
static void report_ends(struct served *all) {
    struct rusage used;
    int status;
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &used)) > 0;)
        for (unsigned k = 0; k < WORKER_CONNECTIONS; k++) {
            if (all->at[k].pid != pid) continue;
            const struct worker_end end = {.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                                           .resident_bytes = (uint64_t)used.ru_maxrss << 10};
            const ssize_t n = write(all->at[k].pipe, &end, sizeof end);
            (void)n; /* fails if the judge no longer reads the pipe */
            close(all->at[k].pipe);
            all->at[k].pid = 0;
        }
}
static void start_serving(struct device_module *module, struct served *all, int control, const int pair[2]) {
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
    struct device_module *module = control ? receive_module(control) : NULL;
    struct served all = {0};
    sigset_t child, none;
    sigemptyset(&none);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL); /* delivered only while waiting */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = wake}, NULL);
    signal(SIGPIPE, SIG_IGN);
    mallopt(M_TRIM_THRESHOLD, KEPT); /* the next case reuses the memory of the previous case */
    mallopt(M_MMAP_THRESHOLD, KEPT);
    for (int pair[2]; module;) {
        struct pollfd asked = {fd, POLLIN, 0};
        const int ready = ppoll(&asked, 1, NULL, &none);
        if (ready < 0 && errno != EINTR) break;
        report_ends(&all);
        if (ready <= 0) continue;
        if (!channel_receive_pair(fd, pair)) break;
        start_serving(module, &all, fd, pair);
    }
    return 0;
}
