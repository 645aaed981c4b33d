/* The judge's side of a worker. See worker.h. */
#include "base/program.h"
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

enum { WORKER_FD = 3, MAX_IDLE = 64, PATIENCE = WORKER_SECONDS + WORKER_PATIENCE };
static atomic_uint interruptions;

struct device_module {
    int fd; /* control socket, through which connections are requested */
    struct channel *control;
    pid_t worker;
    pthread_mutex_t lock; /* protects `idle`, the list of idle connections */
    pid_t owner;          /* process that owns the connections; a forked child process opens its own */
    struct connection *idle[MAX_IDLE];
    unsigned idle_count;
};
static enum device_status set_error(struct device_error *e, enum device_status status, const char *message) {
    return snprintf(e->message, sizeof e->message, "%s", message), status;
}
unsigned worker_interruptions(void) { return interruptions; }
/* Sets the message that describes how the simulator's process ended. Returns DEVICE_SETUP if it was killed from
 * outside, otherwise DEVICE_SUBMISSION. */
static enum device_status say_end(struct device_error *e, enum ended ended) {
    static const char *const what[] = {[ENDED_TIME] = "the simulator was stopped: the kernel took too much time",
                                       [ENDED_MEMORY] = "the simulator was stopped: the kernel used too much memory",
                                       [ENDED_CRASH] = "the simulator crashed while it ran the kernel",
                                       [ENDED_OUTSIDE] = "a simulator process was killed by the out-of-memory killer, "
                                                         "by the wall-clock limit on a busy machine, or by "
                                                         "a user"};
    if (ended == ENDED_OUTSIDE) interruptions++;
    return set_error(e, ended == ENDED_OUTSIDE ? DEVICE_SETUP : DEVICE_SUBMISSION, what[ended]);
}

/* ---- the life cycle of a worker --------------------------------------------------------------- */
static _Noreturn void become_worker(char *const words[], int fd) {
    const int null = open("/dev/null", O_RDWR);
    if (fd == WORKER_FD ? fcntl(fd, F_SETFD, 0) : dup2(fd, WORKER_FD) < 0) _exit(1);
    for (int k = 0; k < WORKER_FD; k++) dup2(null, k);
    close_range(WORKER_FD + 1, ~0U, 0);
    sandbox_prepare((const char *const *)words, 0); /* no memory limit here, because worker_main() sets one */
    execvp(words[0], words);
    _exit(127);
}
/* Starts the worker's process and gets the path of its program. Returns -1 on failure. */
static pid_t start_worker(struct device_module *m, char path[PATH_MAX]) {
    static const char *const command[] = {"/grade", WORKER_WORD, "3", NULL};
    int ends[2];
    char **words = !program_file(path)
                       ? NULL
                       : sandbox_words(&(struct sandbox){.shown = {{path, command[0]}}, .command = command});
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
/* Returns how a worker ended before it was unloaded. bubblewrap exits with 128 plus the number of the signal. */
static enum ended end_of_worker(struct device_module *m) {
    struct rusage used;
    int status = 0;
    pid_t gone = 0;
    for (unsigned k = 0; k < 100 && !(gone = wait4(m->worker, &status, WNOHANG, &used)); k++) usleep(20000);
    if (gone != m->worker) return ENDED_CRASH; /* the worker closed its end of the socket but still runs */
    sandbox_end(m->worker);
    m->worker = 0;
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
    return ended_by(signal > 0 ? signal : 0, (size_t)used.ru_maxrss << 10);
}
static enum device_status ended_in_load(struct device_module *m, const char *name, struct device_error *e) {
    const enum ended ended = channel_is_silent(m->control) ? ENDED_OUTSIDE : end_of_worker(m);
    if (ended == ENDED_OUTSIDE) return say_end(e, ended);
    snprintf(e->message, sizeof e->message,
             "%s: the simulator was stopped while it read the PTX: it needed too much %s", name,
             ended == ENDED_TIME ? "time" : "memory");
    return DEVICE_SUBMISSION;
}
/* Waits until the worker reports that it is ready. Returns false if it exits instead, or after PATIENCE seconds. */
static bool wait_for_worker(const struct device_module *m) {
    struct pollfd p[2] = {{m->fd, POLLIN, 0}, {sandbox_watch(m->worker), POLLIN, 0}};
    int ready;
    while ((ready = poll(p, 2, PATIENCE * 1000)) < 0 && errno == EINTR) continue;
    if (p[1].fd >= 0) close(p[1].fd);
    return ready > 0 && p[0].revents;
}
static enum device_status hand_over(struct device_module *m, const char *ptx, size_t length, const char *name,
                                    struct device_error *e) {
    const struct worker_request q = {.word = WORKER_LOAD, .name_bytes = strlen(name), .data_bytes = length};
    struct worker_reply r;
    if (!m->control || !wait_for_worker(m) || !channel_get(m->control, &r, sizeof r))
        return set_error(e, DEVICE_SETUP,
                         "the simulator did not start in its sandbox; --no-sandbox grades without one");
    if (!channel_put(m->control, &q, sizeof q) || !channel_put(m->control, name, q.name_bytes) ||
        !channel_put(m->control, ptx, length) || !channel_get(m->control, &r, sizeof r))
        return ended_in_load(m, name, e);
    if (r.status == DEVICE_OK) return DEVICE_OK;
    const bool answered = r.message_bytes < sizeof e->message && channel_get(m->control, e->message, r.message_bytes);
    e->message[answered ? r.message_bytes : 0] = 0;
    if (!answered) set_error(e, DEVICE_SETUP, "the sandbox process did not respond");
    return DEVICE_SUBMISSION;
}
static enum device_status remote_present(struct device_error *e) {
    return sandbox_present(e->message, sizeof e->message) ? DEVICE_OK : DEVICE_ABSENT;
}
static enum device_status remote_load(const char *ptx, size_t length, const char *name, struct device_module **m,
                                      struct device_error *e) {
    *m = calloc(1, sizeof **m);
    if (!*m) return set_error(e, DEVICE_SETUP, "out of memory");
    enum device_status status = DEVICE_SETUP;
    char program[PATH_MAX];
    for (bool replaced = true; replaced;) { /* make may have replaced the program file */
        if (((*m)->worker = start_worker(*m, program)) < 0) {
            status = set_error(e, DEVICE_SETUP,
                               "cannot start the sandbox: the limit on processes or open files has been reached");
            break;
        }
        status = hand_over(*m, ptx, length, name, e);
        replaced = !program_stayed(program);
        if (status == DEVICE_OK && !replaced) return pthread_mutex_init(&(*m)->lock, NULL), DEVICE_OK;
        end_worker(*m);
    }
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

/* ---- connections ---------------------------------------------------------------------------- */
static struct connection *idle_connection(struct device_module *m) {
    struct connection *c = NULL;
    pthread_mutex_lock(&m->lock);
    if (m->owner != getpid()) { /* this process was forked, so the connections belong to its parent */
        for (unsigned k = 0; k < m->idle_count; k++) connection_free(m->idle[k]);
        m->idle_count = 0, m->owner = getpid();
    }
    if (m->idle_count) c = m->idle[--m->idle_count];
    pthread_mutex_unlock(&m->lock);
    return c;
}
static struct connection *take_connection(struct device_module *m) {
    struct connection *c = m ? idle_connection(m) : NULL;
    return c || !m ? c : connection_new(m->fd);
}
static void give_back(struct device_module *m, struct connection *c) {
    if (!c) return;
    pthread_mutex_lock(&m->lock);
    const bool kept = c->channel && m->owner == getpid() && m->idle_count < MAX_IDLE;
    if (kept) m->idle[m->idle_count++] = c;
    pthread_mutex_unlock(&m->lock);
    if (!kept) connection_free(c);
}
/* Reports why a run got no answer. c is NULL if the connection could not be opened. */
static enum device_status broken(const struct connection *c, struct device_error *e) {
    return say_end(e, c ? c->ended : ENDED_OUTSIDE);
}

/* ---- runs ----------------------------------------------------------------------------------- */
static bool ask(struct connection *c, const struct device_run *r) {
    size_t length = 0;
    uint8_t *plan = plan_pack(r->plan, &length);
    struct worker_request q = {.word = WORKER_RUN,
                               .measures = r->measured != NULL,
                               .what = r->what,
                               .observed_block = r->observed_block,
                               .observed_launch = r->observed_launch,
                               .prints = r->printed != NULL,
                               .shuffle = r->options.shuffle,
                               .chosen = r->options.schedule.chosen,
                               .falling = r->options.schedule.falling,
                               .block = r->options.schedule.block,
                               .warp = r->options.schedule.warp,
                               .lane = r->options.schedule.lane,
                               .stale = r->options.schedule.stale,
                               .turn = r->options.schedule.turn,
                               .cores = r->options.cores,
                               .cooperative = r->options.cooperative,
                               .products = r->options.products,
                               .no_exchange = r->options.no_exchange,
                               .advance = r->options.advance,
                               .seed = r->options.seed,
                               .budget = r->options.budget,
                               .plan_bytes = length};
    const unsigned inputs = plan_inputs(r->plan);
    for (unsigned k = 0; k < inputs; k++) q.data_bytes += plan_input_bytes(r->plan, k);
    bool ok = plan && connection_put(c, &q, sizeof q) && connection_put(c, plan, length);
    for (unsigned k = 0; ok && k < inputs; k++) ok = connection_put(c, r->inputs[k], plan_input_bytes(r->plan, k));
    free(plan);
    return ok || connection_refuse(c);
}
/* Returns whether the reply is within the bounds that the request sets. */
static bool is_sound(const struct device_run *r, const struct worker_reply *a) {
    return a->status <= DEVICE_SUBMISSION && a->launch <= r->plan->launches && a->reads <= r->plan->reads &&
           (a->status != DEVICE_OK || a->reads == r->plan->reads) &&
           a->output_bytes == plan_read_at(r->plan, a->reads) &&
           a->printed_bytes <= (r->printed ? WORKER_PRINTED : 0) && a->measured_bytes <= (r->measured ? WIRE_MAX : 0) &&
           a->message_bytes < sizeof r->error.message;
}
static bool get_printed(struct connection *c, struct device_run *r, uint64_t bytes) {
    char text[WORKER_PRINTED];
    if (!connection_get(c, text, bytes)) return false;
    if (!bytes || !r->printed_room) return true;
    const size_t n = bytes < r->printed_room ? bytes : r->printed_room - 1;
    memcpy(r->printed, text, n);
    r->printed[n] = 0;
    return true;
}
static bool get_measured(struct connection *c, struct device_run *r, const struct worker_reply *a) {
    if (!a->measured_bytes) return !r->measured || a->status != DEVICE_OK;
    uint8_t *packed = malloc(a->measured_bytes);
    const bool ok =
        packed && connection_get(c, packed, a->measured_bytes) && wire_unpack(r->measured, packed, a->measured_bytes);
    free(packed);
    return ok;
}
static bool get_answer(struct connection *c, struct device_run *r) {
    struct worker_reply a;
    if (!connection_get(c, &a, sizeof a) || !is_sound(r, &a) || !connection_get(c, r->outputs, a.output_bytes) ||
        !get_printed(c, r, a.printed_bytes) || !get_measured(c, r, &a) ||
        !connection_get(c, r->error.message, a.message_bytes))
        return connection_refuse(c);
    r->error.message[a.message_bytes] = 0;
    r->launch = a.launch, r->reads = a.reads, r->work = a.work, r->effort = a.effort;
    /* running out of memory is the submission's fault, because the limits are the same for all submissions */
    r->status = a.status == DEVICE_OK ? DEVICE_OK : DEVICE_SUBMISSION;
    return true;
}
static void receive(struct connection *c, struct device_run *r) {
    r->error.message[0] = 0, r->launch = r->reads = r->times = 0, r->work = r->effort = 0;
    if (r->printed && r->printed_room) r->printed[0] = 0;
    if (r->measured) measure_begin(r->measured, 0), r->measured->what = r->what;
    if (!c || !get_answer(c, r)) r->status = broken(c, &r->error);
    if (r->measured) measure_end(r->measured);
}
/* Performs runs of the same module on one connection. */
static void run_together(struct device_run *runs, unsigned count) {
    struct connection *c = take_connection(runs->module[0]);
    bool asked = c;
    for (unsigned k = 0; asked && k < count; k++) asked = ask(c, &runs[k]);
    for (unsigned k = 0; k < count; k++) receive(c, &runs[k]);
    give_back(runs->module[0], c);
}
static void remote_run(struct device_run *runs, unsigned count) {
    for (unsigned first = 0, n; first < count; first += n) {
        for (n = 1; first + n < count && runs[first + n].module[0] == runs[first].module[0];) n++;
        run_together(runs + first, n);
    }
}
static bool ask_variable(struct connection *c, const char *name, uint64_t room, struct worker_reply *a, void *to,
                         struct device_error *e) {
    const struct worker_request q = {.word = WORKER_VARIABLE, .name_bytes = strlen(name), .data_bytes = 0};
    uint8_t value[WORKER_VALUE];
    if (!connection_put(c, &q, sizeof q) || !connection_put(c, name, q.name_bytes) || !connection_get(c, a, sizeof *a))
        return false;
    if (a->output_bytes > sizeof value || a->message_bytes >= sizeof e->message || a->printed_bytes ||
        a->measured_bytes || !connection_get(c, value, a->output_bytes) ||
        !connection_get(c, e->message, a->message_bytes))
        return connection_refuse(c);
    e->message[a->message_bytes] = 0;
    memcpy(to, value, a->output_bytes < room ? a->output_bytes : room);
    return true;
}
static enum device_status remote_variable(struct device_module *m, const char *name, void *to, uint64_t room,
                                          uint64_t *bytes, struct device_error *e) {
    struct worker_reply a = {.status = DEVICE_SETUP};
    struct connection *c = take_connection(m);
    const bool answered = c && ask_variable(c, name, room, &a, to, e);
    const enum device_status status = !answered ? broken(c, e) : a.status == DEVICE_OK ? DEVICE_OK : DEVICE_SUBMISSION;
    *bytes = a.bytes;
    give_back(m, c);
    return status;
}

const struct device device_worker = {.name = "sim",
                                     .summary = "the simulator in a sandbox",
                                     .measures = true,
                                     .present = remote_present,
                                     .load = remote_load,
                                     .unload = remote_unload,
                                     .run = remote_run,
                                     .variable = remote_variable};
