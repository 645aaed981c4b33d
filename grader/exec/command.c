/* Implements `./grade exec`: compiles the program, runs it, and reports. */
#include "base/cores.h"
#include "base/file.h"
#include "base/program.h"
#include "exec/needs.h"
#include "exec/serve.h"
#include "sandbox/process.h"
#include "record/status.h"
#include "sandbox/sandbox.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program to run, and its options. */
struct run {
    const struct exec_options *options;
    const char *root;
    /* `made`: the temporary folder to remove at the end, or "". */
    char program[PATH_MAX], runtime[PATH_MAX], driver[PATH_MAX], here[PATH_MAX], made[FILE_TEMPORARY];
    char toolkit[PATH_MAX]; /* folder of the toolkit's libraries, such as NVRTC, or "" */
    struct exec_session session;
    pid_t child;
};

/* ---- the program ------------------------------------------------------------------------------ */
static int lacks(const char *program, const char *call) {
    return status_saying(
        EXEC_ABSENT, "exec",
        "%s calls %s(), which the simulator's libraries do not provide: docs/exec.md lists the supported calls",
        program, call);
}
static const struct process_limits limits = {.wall_seconds = 600, .cpu_seconds = 600, .output_bytes = 64 << 10};
static void find_toolkit(struct run *r) {
    char *nvcc = process_find("nvcc"), full[PATH_MAX], folder[PATH_MAX + 20];
    if (nvcc && realpath(nvcc, full)) {
        *strrchr(full, '/') = 0;
        snprintf(folder, sizeof folder, "%s/../lib64", full);
        if (!realpath(folder, r->toolkit)) r->toolkit[0] = 0;
    }
    free(nvcc);
}
static int compile(struct run *r) {
    const struct exec_options *o = r->options;
    const char *argv[EXEC_MAX_FLAGS + 20];
    char arch[60], folder[FILE_TEMPORARY], source[PATH_MAX], libraries[PATH_MAX + 2], link[PATH_MAX + 60],
        *nvcc = process_find("nvcc");
    unsigned n = 0;
    if (!realpath(o->program, source)) return status_saying(EXEC_USAGE, "exec", "%s: %s", o->program, strerror(errno));
    if (!nvcc)
        return status_saying(EXEC_SETUP, "exec",
                             "nvcc is not in PATH: install NVIDIA's CUDA Toolkit, whose nvcc "
                             "compiles host code");
    if (!file_temporary(folder)) return free(nvcc), status_saying(EXEC_SETUP, "exec", "cannot create a folder in /tmp");
    snprintf(r->made, sizeof r->made, "%s", folder);
    snprintf(r->program, sizeof r->program, "%s/program", folder);
    argv[n++] = nvcc, argv[n++] = "-cudart", argv[n++] = "shared", argv[n++] = "-g", argv[n++] = "-lineinfo";
    /* The suffix "a" enables instructions such as wgmma. The program contains only PTX, because the simulator does not
     * run machine code. */
    const char *all = o->arch == 90 ? "a" : "";
    snprintf(arch, sizeof arch, "-gencode=arch=compute_%u%s,code=compute_%u%s", o->arch, all, o->arch, all);
    if (o->arch) argv[n++] = arch;
    for (unsigned k = 0; k < o->flags; k++) argv[n++] = o->flag[k];
    snprintf(libraries, sizeof libraries, "-L%.*s", (int)(strrchr(r->driver, '/') - r->driver), r->driver);
    argv[n++] = "-o", argv[n++] = r->program, argv[n++] = source, argv[n++] = libraries;
    snprintf(link, sizeof link, "--as-needed,--allow-shlib-undefined%s%s", *r->toolkit ? ",-rpath," : "", r->toolkit);
    argv[n++] = "-Xlinker", argv[n++] = link, argv[n++] = "-lcuda", argv[n] = NULL;
    struct process_result p = process_run(argv, &limits);
    if (p.output && strstr(p.output, "requires separate compilation mode")) { /* the program's kernels launch kernels */
        free(p.output);
        argv[n++] = "-rdc=true", argv[n] = NULL;
        p = process_run(argv, &limits);
    }
    if (p.output && *p.output) fputs(p.output, stderr);
    const bool good = p.end == PROCESS_EXITED && p.status == 0;
    char name[120] = "";
    const char *undefined = good || !p.output ? NULL : strstr(p.output, "undefined reference to `cu");
    if (undefined) sscanf(undefined, "undefined reference to `%119[A-Za-z0-9_]", name);
    free(p.output);
    free(nvcc);
    if (exec_of_driver(name)) return lacks(o->program, name);
    if (p.end != PROCESS_EXITED)
        return status_saying(EXEC_SETUP, "exec",
                             "%s: nvcc was stopped because it took too long or used too much memory", o->program);
    return good ? EXEC_CLEAN : status_saying(EXEC_BUILD, "exec", "%s does not build", o->program);
}
static int check_program(const struct run *r) {
    struct needs n;
    const char *p = r->options->program;
    if (!exec_needs(r->program, (const char *const[]){r->runtime, r->driver, NULL}, &n))
        return status_saying(EXEC_USAGE, "exec", "%s: %s", p, n.why);
    if (n.library[0]) return status_saying(EXEC_ABSENT, "exec", "%s needs %s, which is not simulated", p, n.library);
    if (n.unknown[0]) return lacks(p, n.unknown);
    if (n.static_runtime)
        return status_saying(
            EXEC_ABSENT, "exec",
            "%s has CUDA's run-time library linked into it: link it with `nvcc -cudart shared`, or run its source: "
            "./grade exec FILE.cu",
            p);
    if (!n.shared_runtime && !n.driver)
        return status_saying(EXEC_USAGE, "exec", "%s does not use CUDA's run-time library", p);
    return EXEC_CLEAN;
}
static int find_program(struct run *r) {
    if (exec_ends_with(r->options->program, ".cu")) {
        const int status = compile(r);
        if (status) return status;
    } else if (!realpath(r->options->program, r->program))
        return status_saying(EXEC_USAGE, "exec", "%s: %s", r->options->program, strerror(errno));
    else if (access(r->program, X_OK))
        return status_saying(EXEC_USAGE, "exec", "%s: %s", r->options->program, strerror(errno));
    return check_program(r);
}
/* Finds a library in the folder exec/ next to the command, or in the build folder. */
static int find_library(const struct run *r, const char *name, char path[PATH_MAX]) {
    char beside[PATH_MAX];
    program_path(beside, sizeof beside);
    *strrchr(beside, '/') = 0;
    snprintf(path, PATH_MAX, "%.*s/exec/%s", PATH_MAX - 40, beside, name);
    if (access(path, R_OK)) snprintf(path, PATH_MAX, "%.*s/build/exec/%s", PATH_MAX - 40, r->root, name);
    if (access(path, R_OK))
        return status_saying(EXEC_SETUP, "exec",
                             "%s does not exist: `make all` builds it if nvcc and its headers are installed", path);
    char *full = realpath(path, NULL);
    if (full) snprintf(path, PATH_MAX, "%s", full);
    free(full);
    return EXEC_CLEAN;
}

/* ---- starting ----------------------------------------------------------------------------------- */
static char **in_sandbox(const struct run *r, const char **command) {
    const struct exec_options *o = r->options;
    char folder[PATH_MAX];
    struct sandbox s = {
        .command = command, .directory = r->here, .preload = {r->runtime, r->driver}, .environment = true};
    unsigned n = 0;
    snprintf(folder, sizeof folder, "%s", r->program);
    *strrchr(folder, '/') = 0;
    s.shown[n].from = s.shown[n].to = r->here, n++;
    if (folder[0]) s.shown[n].from = s.shown[n].to = folder, n++;
    if (r->toolkit[0]) s.shown[n].from = s.shown[n].to = r->toolkit, n++;
    for (unsigned k = 0; k < o->writes; k++)
        s.shown[n].from = s.shown[n].to = o->write[k], s.shown[n].writable = true, n++;
    return sandbox_words(&s);
}
static int start(struct run *r, int socket) {
    const struct exec_options *o = r->options;
    unsigned count = 0;
    while (o->arguments[count]) count++;
    const char **command = calloc(count + 1, sizeof *command);
    if (!command) return status_saying(EXEC_SETUP, "exec", "out of memory");
    memcpy(command, o->arguments, count * sizeof *command);
    command[0] = r->program;
    char number[20], message[500], both[2 * PATH_MAX];
    if (!o->no_sandbox && !sandbox_present(message, sizeof message)) {
        free(command);
        return status_saying(EXEC_SETUP, "exec",
                             "%s; `./grade exec --no-sandbox` runs a program that you trust without a sandbox",
                             message);
    }
    char **words = o->no_sandbox ? NULL : in_sandbox(r, command);
    snprintf(number, sizeof number, "%d", socket);
    fflush(NULL);
    r->child = fork();
    if (r->child == 0) {
        signal(SIGINT, SIG_DFL);
        setenv(EXEC_SOCKET, number, 1);
        snprintf(both, sizeof both, "%s:%s", r->runtime, r->driver);
        if (o->no_sandbox) setenv("LD_PRELOAD", both, 1);
        if (words)
            execvp(words[0], words);
        else
            execv(r->program, (char **)(uintptr_t)command);
        fprintf(stderr, "grade exec: %s: %s\n", o->program, strerror(errno));
        _exit(127);
    }
    sandbox_free(words);
    free(command);
    return r->child < 0 ? status_saying(EXEC_SETUP, "exec", "cannot start a process") : EXEC_CLEAN;
}
static void interrupt(int signal) {
    (void)signal;
    exec_interrupted = 1;
}
static int wait_for(struct run *r) {
    int status = 0;
    if (exec_interrupted || r->session.missing[0]) kill(r->child, SIGKILL);
    while (waitpid(r->child, &status, 0) < 0)
        if (errno != EINTR || exec_interrupted) kill(r->child, SIGKILL);
    return status;
}

/* ---- the session ---------------------------------------------------------------------------------- */
static bool open_session(struct run *r) {
    const struct exec_options *o = r->options;
    struct exec_session *s = &r->session;
    s->options = o, s->next_device = EXEC_DEVICE_BASE, s->next_shared = EXEC_SHARED_BASE;
    measure_begin(&s->found, exec_measured(o->checks));
    s->found.heap_lasts = true;
    s->order = exec_order_new();
    s->places = exec_places_new(r->program);
    s->sim = sim_new(NULL, &(struct sim_options){.seed = o->seed,
                                                 .shuffle = o->seeded,
                                                 .budget = o->budget,
                                                 .memory_limit = exec_memory_total(s),
                                                 .cores = o->cores ? o->cores : cores_allowed(),
                                                 .print = exec_print,
                                                 .print_limit = EXEC_PRINT_BYTES,
                                                 .heap_base = UINT64_C(1) << 62,
                                                 .interrupt = &exec_interrupted});
    return s->order && s->places && s->sim;
}
static void close_session(struct exec_session *s) {
    measure_free(&s->found);
    sim_free(s->sim);
    for (unsigned k = 0; k < s->modules; k++) {
        struct exec_module *m = s->module[k];
        sim_program_free(m->program);
        ptx_free(m->ptx);
        free(m->text);
        free(m->image);
        free(m);
    }
    exec_order_free(s->order);
    exec_places_free(s->places);
    free(s->module);
    free(s->kernel);
    free(s->object);
    free(s->host);
    free(s->origins);
}
static int report(const struct run *r, json_t *record) {
    const struct exec_options *o = r->options;
    const char *no_color = getenv("NO_COLOR");
    FILE *f = o->report ? fopen(o->report, "w") : stderr;
    if (!f) return status_saying(EXEC_SETUP, "exec", "%s: %s", o->report, strerror(errno));
    exec_page(record, f, isatty(fileno(f)) && !o->no_color && !(no_color && *no_color));
    bool ok = !ferror(f);
    if (o->report && fclose(f)) ok = false;
    if (o->json && json_dump_file(record, o->json, JSON_INDENT(2) | JSON_PRESERVE_ORDER)) ok = false;
    return ok ? (int)json_integer_value(json_object_get(record, "status"))
              : status_saying(EXEC_SETUP, "exec", "cannot write the report");
}
static int run_program(struct run *r) {
    int ends[2];
    struct sigaction action = {.sa_handler = interrupt};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return status_saying(EXEC_SETUP, "exec", "no socket");
    if (!open_session(r)) return status_saying(EXEC_SETUP, "exec", "out of memory");
    r->session.socket = ends[0];
    fcntl(ends[1], F_SETFD, 0);
    sigaction(SIGINT, &action, NULL);
    int status = start(r, ends[1]);
    close(ends[1]);
    if (!status) {
        exec_serve(&r->session);
        close(ends[0]);
        const int ended = wait_for(r);
        if (r->session.said_bye && !r->session.sticky) exec_leaks(&r->session);
        json_t *record = exec_record_of(&r->session, r->options->program, ended);
        status = report(r, record);
        json_decref(record);
    }
    close_session(&r->session);
    return status;
}
int exec_command(int argc, char **argv, const char *root) {
    struct exec_options o;
    exec_options_parse(argc, argv, &o);
    struct run *r = calloc(1, sizeof *r);
    if (!r) return status_saying(EXEC_SETUP, "exec", "out of memory");
    r->options = &o, r->root = root;
    int status =
        getcwd(r->here, sizeof r->here) ? EXEC_CLEAN : status_saying(EXEC_SETUP, "exec", "this folder does not exist");
    if (!status) status = find_library(r, "libcudart-sim.so", r->runtime);
    if (!status) status = find_library(r, "libcuda.so", r->driver);
    find_toolkit(r);
    if (!status) status = find_program(r);
    if (!status) status = run_program(r);
    if (r->made[0]) file_remove_folder(r->made);
    free(r);
    return status;
}
