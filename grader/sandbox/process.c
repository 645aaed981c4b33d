/* See process.h. */
#include "base/clock.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    int what;
    size_t offset; /* offset of the limit (a size_t) in struct process_limits */
} resources[] = {
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer reserves terabytes of addresses, also in `grade --nvrtc` */
    {RLIMIT_AS, offsetof(struct process_limits, memory_bytes)},
#endif
    {RLIMIT_FSIZE, offsetof(struct process_limits, file_bytes)},
    {RLIMIT_NPROC, offsetof(struct process_limits, processes)},
    {RLIMIT_NOFILE, offsetof(struct process_limits, files)}};
enum {
    TOGETHER = 2
}; /* limit on the memory of all processes of a sandbox and its /tmp, as a multiple of the limit for one process */
const char *process_lacks(const struct process_limits *least) {
    const struct {
        int what;
        size_t value;
        const char *name;
    } wanted[] = {{RLIMIT_CPU, least->cpu_seconds, "CPU time (ulimit -t)"},
                  {RLIMIT_AS, least->memory_bytes, "address space (ulimit -v)"},
                  {RLIMIT_FSIZE, least->file_bytes, "file size (ulimit -f)"},
                  {RLIMIT_NOFILE, least->files, "open files (ulimit -n)"}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        struct rlimit r;
        if (!getrlimit((__rlimit_resource_t)wanted[k].what, &r) && r.rlim_max < wanted[k].value) return wanted[k].name;
    }
    return NULL;
}
static void limit(int what, size_t value, size_t hard) {
    const struct rlimit r = {value, hard};
    if (value) setrlimit(what, &r);
}
/* Replaces this process with the program. `in` is -1 if the program has no input. */
static _Noreturn void child(const char *const argv[], char *const environment[], const struct process_limits *l, int in,
                            int out) {
    setpgid(0, 0); /* put the program into its own process group, so that the processes that it starts end with it */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* kill the program if the thread that started it ends first */
    dup2(in < 0 ? open("/dev/null", O_RDONLY) : in, 0);
    dup2(out, 1);
    dup2(out, 2);
    limit(RLIMIT_CPU, l->cpu_seconds, l->cpu_seconds + 5);
    for (size_t k = 0; k < sizeof resources / sizeof *resources; k++) {
        const size_t value = *(const size_t *)(const void *)((const char *)l + resources[k].offset);
        limit(resources[k].what, value, value);
    }
    limit(RLIMIT_CORE, 1, 1);
    sandbox_prepare(argv, TOGETHER * l->memory_bytes);
    execvpe(argv[0], (char *const *)argv, environment);
    dprintf(2, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}
enum { AFTERWARDS = 1 /* seconds to read the remaining output after the process has exited */ };
/* Reads the output until all writers have closed it and the process of descriptor `ended` has exited, but for at most
 * AFTERWARDS seconds after that exit. At the exit, kills the group of the process. Returns false if the time limit
 * expires before the exit. If `ended` is negative, waits only for the writers, and returns false if the time limit
 * expires first. */
static bool collect(int fd, int ended, pid_t pid, const struct process_limits *l, struct process_result *r) {
    double end = l->wall_seconds ? clock_seconds() + l->wall_seconds : 0;
    const size_t most = l->output_bytes;
    char buffer[4096];
    bool gone = ended < 0, closed = false;
    while (!gone || !closed) {
        struct pollfd p[2] = {{closed ? -1 : fd, POLLIN, 0}, {gone ? -1 : ended, POLLIN, 0}};
        const double left = end ? end - clock_seconds() : 3600;
        if (left <= 0) return gone && ended >= 0;
        if (poll(p, 2, (int)(left * 1000) + 1) == 0) continue;
        if (p[1].revents) { /* processes in other groups may hold the pipe open until sandbox_end() */
            kill(-pid, SIGKILL);
            gone = true, end = clock_seconds() + AFTERWARDS;
        }
        if (!p[0].revents) continue;
        const ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        closed = n <= 0;
        if (closed) continue;
        const size_t room = most - r->length, take = (size_t)n < room ? (size_t)n : room;
        if (take < (size_t)n) r->cut = true; /* reads on and discards the rest, so that the child does not block */
        memcpy(r->output + r->length, buffer, take);
        r->length += take;
    }
    return true;
}
/* Returns a copy of environ with the variable of `setting`, "NAME=VALUE", replaced or added (NULL: unchanged). The
 * caller frees the array, but not its strings. */
static char **environment_with(const char *setting) {
    size_t count = 0, n = 0, name = setting ? strcspn(setting, "=") + 1 : 0;
    while (environ[count]) count++;
    char **all = calloc(count + 2, sizeof *all);
    for (size_t k = 0; all && k < count; k++)
        if (!setting || strncmp(environ[k], setting, name)) all[n++] = environ[k];
    if (all && setting) all[n] = (char *)setting;
    return all;
}
static void close_both(const int ends[2]) {
    for (unsigned k = 0; k < 2; k++)
        if (ends[k] >= 0) close(ends[k]);
}
/* Creates a pipe for a child's output and, if `waits`, a socket for its input. Unlike write() to a pipe, send() to a
 * socket can suppress SIGPIPE if the reader has exited (MSG_NOSIGNAL). */
static bool connect_to(int out[2], int in[2], bool waits) {
    return !pipe2(out, O_CLOEXEC) && (!waits || !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in));
}
bool process_start(struct process *p, const char *const argv[], const struct process_limits *limits) {
    int out[2] = {-1, -1}, in[2] = {-1, -1};
    *p = (struct process){.pid = -1, .output = -1, .input = -1, .limits = *limits};
    if (!p->limits.output_bytes) p->limits.output_bytes = 1 << 20;
    p->text = calloc(1, p->limits.output_bytes + 1);
    /* allocated before fork(), because allocation is not allowed between fork() and exec() */
    char **environment = environment_with(limits->temporary);
    if (p->text && environment && connect_to(out, in, limits->waits)) p->pid = fork();
    if (p->pid < 0 && p->text) snprintf(p->text, p->limits.output_bytes, "%s", strerror(errno));
    if (p->pid == 0) child(argv, environment, limits, in[0], out[1]);
    free(environment);
    if (p->pid < 0) return close_both(out), close_both(in), false;
    setpgid(p->pid, p->pid);
    close(out[1]), p->output = out[0];
    if (limits->waits) close(in[0]), p->input = in[1];
    return true;
}
void process_go(struct process *p) {
    if (p->input < 0) return;
    send(p->input, "", 1, MSG_NOSIGNAL);
    close(p->input), p->input = -1;
}
struct process_result process_finish(struct process *p) {
    struct process_result r = {.end = PROCESS_NOT_STARTED, .output = p->text};
    struct rusage used = {0};
    int status = 0;
    p->text = NULL;
    if (p->pid < 0) return r;
    if (p->input >= 0)
        kill(-p->pid, SIGKILL), close(p->input); /* a waiting process that was not resumed is no longer needed */
    const int ended = sandbox_watch(p->pid);
    const bool in_time = collect(p->output, ended, p->pid, &p->limits, &r);
    if (ended >= 0) close(ended);
    if (!in_time) kill(-p->pid, SIGKILL);
    while (wait4(p->pid, &status, 0, &used) < 0 && errno == EINTR) continue;
    const size_t exceeded = sandbox_end(p->pid); /* also kills leftover processes */
    close(p->output);
    r.end = !in_time ? PROCESS_TIMED_OUT : WIFSIGNALED(status) ? PROCESS_KILLED : PROCESS_EXITED;
    r.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    r.resident_bytes = exceeded ? exceeded : (size_t)used.ru_maxrss << 10;
    r.cpu_seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    *p = (struct process){.pid = -1};
    return r;
}
struct process_result process_run(const char *const argv[], const struct process_limits *limits) {
    struct process p;
    process_start(&p, argv, limits);
    return process_finish(&p);
}

char *process_find(const char *name) {
    const char *path = getenv("PATH");
    while (path && *path) {
        const size_t n = strcspn(path, ":");
        char *candidate = NULL;
        if (n && asprintf(&candidate, "%.*s/%s", (int)n, path, name) > 0 && access(candidate, X_OK) == 0)
            return candidate;
        free(candidate);
        path += n + (path[n] == ':');
    }
    return NULL;
}
