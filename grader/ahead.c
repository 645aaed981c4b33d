/* See ahead.h. */
#include "ahead.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct one {
    pid_t pid;   /* process id; 0 if the job has not started or has exited */
    int results; /* file in memory for the result */
};
struct ahead {
    ahead_job *job;
    void *context;
    unsigned count, at_once, started, running;
    struct one one[];
};

static _Noreturn void work(const struct ahead *a, unsigned k) {
    const int nowhere = open("/dev/null", O_RDWR);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (int stream = 0; stream <= 2; stream++) dup2(nowhere, stream);
    json_t *result = a->job(a->context, k);
    const bool left = result && !json_dumpfd(result, a->one[k].results, JSON_COMPACT);
    json_decref(result);
    exit(!left);
}
static void start(struct ahead *a) {
    fflush(NULL);
    while (a->started < a->count && a->running < a->at_once) {
        struct one *o = &a->one[a->started];
        o->results = memfd_create("results", MFD_CLOEXEC);
        o->pid = o->results < 0 ? -1 : fork();
        if (o->pid == 0) work(a, a->started);
        a->started++;
        if (o->pid > 0)
            a->running++;
        else
            o->pid = 0;
    }
}
/* Reaps a job that has exited, and starts the next one. If none has exited, waits until one does. */
static void wait_for_one(struct ahead *a) {
    for (unsigned k = 0; k < a->started; k++) {
        struct one *o = &a->one[k];
        if (!o->pid || waitpid(o->pid, NULL, WNOHANG) == 0) continue;
        o->pid = 0, a->running--;
        start(a);
        return;
    }
    struct pollfd ended[a->running];
    unsigned count = 0;
    for (unsigned k = 0; k < a->started; k++)
        if (a->one[k].pid) ended[count++] = (struct pollfd){sandbox_watch(a->one[k].pid), POLLIN, 0};
    bool all = true;
    for (unsigned k = 0; k < count; k++) all &= ended[k].fd >= 0;
    poll(ended, count, all ? -1 : 5);
    for (unsigned k = 0; k < count; k++)
        if (ended[k].fd >= 0) close(ended[k].fd);
}

struct ahead *ahead_start(ahead_job *job, void *context, unsigned count, unsigned at_once) {
    struct ahead *a = at_once ? malloc(sizeof *a + count * sizeof *a->one) : NULL;
    if (!a) return NULL;
    *a = (struct ahead){.job = job, .context = context, .count = count, .at_once = at_once};
    for (unsigned k = 0; k < count; k++) a->one[k] = (struct one){0, -1};
    start(a);
    return a;
}
json_t *ahead_take(struct ahead *a, unsigned k) {
    while (a->started <= k || a->one[k].pid) wait_for_one(a);
    struct one *o = &a->one[k];
    if (o->results < 0 || lseek(o->results, 0, SEEK_SET)) return NULL;
    json_t *result = json_loadfd(o->results, JSON_ALLOW_NUL, NULL);
    close(o->results);
    o->results = -1;
    return result;
}
void ahead_end(struct ahead *a) {
    for (unsigned k = 0; a && k < a->count; k++) {
        if (a->one[k].pid) kill(a->one[k].pid, SIGTERM);
        while (a->one[k].pid && waitpid(a->one[k].pid, NULL, 0) < 0 && errno == EINTR) continue;
        if (a->one[k].results >= 0) close(a->one[k].results);
    }
    free(a);
}
