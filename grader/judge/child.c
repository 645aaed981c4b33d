/* See child.h. The child writes {"undisturbed": true, "result": {...}} to a file in memory. */
#include "judge/child.h"
#include "base/clock.h"
#include "device/worker.h"
#include "judge/judge.h"
#include "sandbox/ended.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RESULT = 4 << 20 /* maximum size of a result, in bytes */, KEPT = 32 << 20 };

/* ---- in the child --------------------------------------------------------------------------- */
static _Noreturn void work_alone(struct judge *j, child_work *work, const void *context, int results) {
    setpgid(0, 0); /* a process group of its own, so that the processes that the child starts can be killed with it */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* kill the child when the grade's process ends */
    setrlimit(RLIMIT_CPU, &(struct rlimit){CHILD_CPU_SECONDS, CHILD_CPU_SECONDS + 5});
#ifdef __GLIBC__ /* each launch allocates megabytes for its registers: keep this memory, because new pages must be     \
                    cleared */
    mallopt(M_MMAP_THRESHOLD, KEPT), mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
    const unsigned before = worker_interruptions();
    json_t *result = work(j, context);
    json_t *left = json_pack("{s:b, s:o}", "undisturbed", worker_interruptions() == before, "result", result);
    char *text = json_dumps(left, JSON_COMPACT);
    const bool written = text && dprintf(results, "%s\n", text) >= 0;
    free(text);
    json_decref(left);
    exit(!written);
}

enum { CHECKS_ERROR = 2 /* exit status of the Check library if it cannot write a file in /tmp */ };

/* ---- in the parent -------------------------------------------------------------------------- */
struct end {
    int status;
    struct rusage used;
    bool late;
};
static bool has_ended(pid_t pid) {
    siginfo_t i = {0};
    return waitid(P_PID, (id_t)pid, &i, WEXITED | WNOHANG | WNOWAIT) || i.si_pid == pid;
}
static struct end wait_for(pid_t pid) {
    const char *multiplier = getenv("CK_TIMEOUT_MULTIPLIER"); /* Check multiplies its timeouts by this, too */
    const double limit = clock_seconds() + CHILD_SECONDS * (multiplier ? strtod(multiplier, NULL) : 1);
    struct end e = {0};
    struct pollfd ended = {sandbox_watch(pid), POLLIN, 0};
    while (!has_ended(pid) && !(e.late = clock_seconds() > limit)) poll(&ended, 1, ended.fd < 0 ? 5 : 1000);
    kill(pid, SIGKILL);
    kill(-pid, SIGKILL);
    while (wait4(pid, &e.status, 0, &e.used) < 0 && errno == EINTR) continue;
    if (ended.fd >= 0) close(ended.fd);
    return e;
}
static json_t *read_result(int results) {
    struct stat written;
    if (fstat(results, &written) || written.st_size > MAX_RESULT) return NULL;
    const size_t size = (size_t)written.st_size;
    char *text = malloc(size + 1);
    const ssize_t n = text ? pread(results, text, size, 0) : -1;
    json_t *left = n > 0 ? json_loadb(text, (size_t)n, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    free(text);
    return left;
}
void child_start(struct judge *j, struct child *c, child_work *work, const void *context) {
    c->results = memfd_create("results", MFD_CLOEXEC);
    c->pid = c->results < 0 ? -1 : fork();
    if (c->pid == 0) work_alone(j, work, context, c->results);
}
static void forget(struct child *c) {
    if (c->results >= 0) close(c->results);
    *c = (struct child){0};
}
void child_stop(struct child *c) {
    if (c->pid > 0) kill(c->pid, SIGKILL), wait_for(c->pid);
    if (c->pid) forget(c);
}
/* Waits for the child and returns its result. *end is CHILD_KILLED if the child or one of its workers was killed from
 * outside. It is CHILD_LATE if the child exceeded the wall-clock limit. */
json_t *child_finish(const struct judge *j, struct child *c, enum child_end *end, char *how, size_t size) {
    *end = CHILD_KILLED;
    if (c->pid < 0) return forget(c), snprintf(how, size, "no process can be started"), NULL;
    const struct end e = wait_for(c->pid);
    const int signal = WIFSIGNALED(e.status) ? WTERMSIG(e.status) : 0;
    json_t *left = read_result(c->results);
    forget(c);
    if (e.late)
        snprintf(how, size, "took more than %d seconds", CHILD_SECONDS);
    else if (signal)
        snprintf(how, size, "signal %d (%s)", signal, strsignal(signal));
    else
        snprintf(how, size, "its process exited with status %d", WEXITSTATUS(e.status));
    if (left)
        *end = json_is_true(json_object_get(left, "undisturbed")) ? CHILD_DONE : CHILD_KILLED;
    else if (e.late)
        *end = CHILD_LATE;
    else if (!signal && WEXITSTATUS(e.status) == CHECKS_ERROR)
        *end = CHILD_NO_FILE;
    else if (ended_by(signal, (size_t)e.used.ru_maxrss << 10) != ENDED_OUTSIDE)
        *end = signal && j->options->gpu ? CHILD_GPU_FAILED : CHILD_STOPPED;
    json_t *result = *end == CHILD_DONE ? json_incref(json_object_get(left, "result")) : NULL;
    json_decref(left);
    return result;
}
static json_t *run_once(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how,
                        size_t size) {
    struct child c;
    child_start(j, &c, work, context);
    return child_finish(j, &c, end, how, size);
}
/* Replaces all workers, because some may have been killed. */
static void renew_workers(struct judge *j) {
    struct device_error e;
    struct program *p = &j->student;
    for (unsigned k = 0; p->device == &device_worker && k < p->text.count; k++) {
        p->device->unload(p->module[k]);
        p->module[k] = NULL;
        p->device->load(p->text.ptx[k], p->text.length[k], j->options->shown, &p->module[k],
                        &e); /* opening the worker reports errors */
    }
    if (j->own && j->options->sandbox) own_renew(j->own);
}
bool child_was_disturbed(enum child_end end) {
    return end == CHILD_KILLED || end == CHILD_LATE || end == CHILD_NO_FILE;
}
json_t *child_again(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how,
                    size_t size) {
    renew_workers(j);
    return run_once(j, work, context, end, how, size);
}
json_t *child_run(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how, size_t size) {
    json_t *result = run_once(j, work, context, end, how, size);
    return child_was_disturbed(*end) ? child_again(j, work, context, end, how, size) : result;
}
