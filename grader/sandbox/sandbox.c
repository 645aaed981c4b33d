/* See sandbox.h. */
#include "base/array.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define PRIVATE_BYTES "268435456" /* size of /tmp, which is in memory */

/* ---- tables of what a sandbox shows ------------------------------------------------------------- */
static const char *const always[] = {"--unshare-all", "--die-with-parent", "--new-session", "--size",
                                     PRIVATE_BYTES,   "--tmpfs",           "/tmp",          "--dev-bind",
                                     "/dev/null",     "/dev/null"};
static const struct {
    const char *path;
    bool programs; /* whether the folder contains programs or headers, which only compilers need */
} folders[] = {{"/usr/lib", false},          {"/usr/lib32", false},      {"/usr/lib64", false},
               {"/usr/libx32", false},       {"/usr/local/lib", false},  {"/etc/ld.so.cache", false},
               {"/usr/bin", true},           {"/usr/libexec", true},     {"/usr/include", true},
               {"/usr/local/include", true}, {"/etc/alternatives", true}};
/* Symbolic links into /usr, or folders on some systems. */
static const struct {
    const char *path;
    bool programs;
} roots[] = {{"/lib", false}, {"/lib32", false}, {"/lib64", false}, {"/libx32", false}, {"/bin", true}};
/* Folders of a compiler's installation: `bin`, which contains its executable, and those that may exist next to it. */
static const char *const toolkit[] = {"bin", "lib", "lib64", "include", "nvvm", "targets"};
/* Environment variables of nvcc that an instructor may set. */
static const char *const passed[] = {"NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};

/* ---- words ---------------------------------------------------------------------------------- */
struct words {
    char **word;
    unsigned count, room;
    bool failed;
};
static void add_word(struct words *w, const char *word) {
    char **more = array_room(w->word, w->count + 2, &w->room, sizeof *more);
    if (!more) {
        w->failed = true;
        return;
    }
    w->word = more;
    if (!(w->word[w->count] = strdup(word))) w->failed = true;
    w->word[++w->count] = NULL;
}
static void add_words(struct words *w, const char *a, const char *b, const char *c) {
    add_word(w, a), add_word(w, b), add_word(w, c);
}
static void show(struct words *w, const char *path) { add_words(w, "--ro-bind-try", path, path); }

static void show_parts(struct words *w, const char *folder) {
    char part[PATH_MAX + 16];
    for (size_t k = 0; k < sizeof toolkit / sizeof *toolkit; k++) {
        snprintf(part, sizeof part, "%s/%s", folder, toolkit[k]);
        show(w, part);
    }
}
/* Shows the folders of the toolkit that contains the program, as in <toolkit>/bin/nvcc. */
static void show_beside(struct words *w, const char *program) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", program);
    for (unsigned up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash) *slash = 0;
    }
    if (path[0] && strcmp(path, "/usr") != 0) show_parts(w, path);
}
/* Shows the toolkit that contains the program's path, and the one that contains the target if the path is a symbolic
 * link. */
static void show_toolkit(struct words *w, const char *program) {
    char path[PATH_MAX];
    show_beside(w, program);
    if (realpath(program, path) && strcmp(path, program) != 0) show_beside(w, path);
}
static void show_system(struct words *w, bool compiler) {
    char target[PATH_MAX];
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        if (compiler || !folders[k].programs) show(w, folders[k].path);
    for (size_t k = 0; k < sizeof roots / sizeof *roots; k++) {
        if (roots[k].programs && !compiler) continue;
        const ssize_t n = readlink(roots[k].path, target, sizeof target - 1);
        if (n > 0)
            target[n] = 0, add_words(w, "--symlink", target, roots[k].path);
        else
            show(w, roots[k].path);
    }
}
static void add_setenv(struct words *w, const char *name, const char *value) { add_words(w, "--setenv", name, value); }
static void set_environment(struct words *w, const struct sandbox *s) {
    char path[PATH_MAX + 32];
    const char *program = s->command[0], *slash = strrchr(program, '/');
    if (s->preload[0]) {
        char both[2 * PATH_MAX];
        snprintf(both, sizeof both, "%s:%s", s->preload[0], s->preload[1] ? s->preload[1] : "");
        add_setenv(w, "LD_PRELOAD", both);
    }
    if (s->environment) return;
    add_word(w, "--clearenv"), add_setenv(w, "LC_ALL", s->utf8 ? "C.UTF-8" : "C");
    snprintf(path, sizeof path, "%.*s:/usr/bin:/bin", slash ? (int)(slash - program) : 0, program);
    add_setenv(w, "PATH", path);
    if (s->writable || s->output) add_setenv(w, "TMPDIR", s->output ? "/tmp" : s->writable);
    for (size_t k = 0; s->compiler && k < sizeof passed / sizeof *passed; k++)
        if (getenv(passed[k])) add_setenv(w, passed[k], getenv(passed[k]));
}
char **sandbox_words(const struct sandbox *s) {
    struct words w = {0};
    add_word(&w, SANDBOX_PROGRAM);
    for (size_t k = 0; k < sizeof always / sizeof *always; k++) add_word(&w, always[k]);
    show_system(&w, s->compiler);
    if (s->compiler) show_toolkit(&w, s->command[0]);
    if (s->toolkit) show_parts(&w, s->toolkit);
    if (s->hidden) add_word(&w, "--tmpfs"), add_word(&w, s->hidden);
    for (unsigned k = 0; k < SANDBOX_SHOWN && s->shown[k].from; k++)
        add_words(&w, s->shown[k].writable ? "--bind" : "--ro-bind", s->shown[k].from, s->shown[k].to);
    for (unsigned k = 0; k < 2 && s->preload[k]; k++) add_words(&w, "--ro-bind", s->preload[k], s->preload[k]);
    if (s->writable) add_words(&w, "--bind", s->writable, s->writable);
    if (s->output)
        add_words(&w, "--ro-bind", s->directory, s->directory), add_words(&w, "--bind", s->output, s->output);
    set_environment(&w, s);
    if (!s->environment && sandbox_filters()) add_word(&w, "--seccomp"), add_word(&w, TEXT(SANDBOX_FILTER));
    if (s->reports_status) add_word(&w, "--json-status-fd"), add_word(&w, "1");
    add_word(&w, "--chdir"), add_word(&w, s->directory ? s->directory : s->writable ? s->writable : "/");
    add_word(&w, "--");
    for (const char *const *word = s->command; *word; word++) add_word(&w, *word);
    if (!w.failed) return w.word;
    sandbox_free(w.word);
    return NULL;
}
void sandbox_free(char **words) {
    for (char **w = words; w && *w; w++) free(*w);
    free(words);
}

/* The first line of the output names the process, and the last line contains the exit status if the program was run.
 * Between them is the program's own output, which may have any contents. */
bool sandbox_ran(char *output) {
    static const char begin[] = "{ \"child-pid\":", end[] = "{ \"exit-code\":";
    const size_t length = strlen(output);
    size_t last = length;
    if (last && output[last - 1] == '\n') last--;
    while (last && output[last - 1] != '\n') last--;
    const bool ran = !strncmp(output + last, end, sizeof end - 1);
    if (ran) output[last] = 0;
    const char *rest = strncmp(output, begin, sizeof begin - 1) ? output : output + strcspn(output, "\n");
    rest += rest != output && *rest == '\n';
    memmove(output, rest, strlen(rest) + 1);
    /* bubblewrap prints one line if it cannot run the program */
    const char *line = strchr(output, '\n');
    return ran || strncmp(output, "bwrap: ", 7) || (line && line[1]);
}

int sandbox_watch(pid_t child) { return (int)syscall(SYS_pidfd_open, child, 0); }

/* ---- availability --------------------------------------------------------------------------- */
/* Runs `true` in the sandbox and stores the first line of its output in `said`. Returns the exit status, 127 if bwrap
 * is not installed, or -1 with the reason in `said` if bwrap was killed by a signal or not started. */
static int try(char *said, size_t size) {
    static const char *const command[] = {"/bin/true", NULL};
    char **words = sandbox_words(&(struct sandbox){.compiler = true, .command = command});
    int ends[2], status = -1;
    if (!words || pipe2(ends, O_CLOEXEC))
        return snprintf(said, size, "%s", strerror(words ? errno : ENOMEM)), sandbox_free(words), -1;
    const pid_t pid = fork();
    const int error = errno;
    if (pid == 0) {
        setpgid(0, 0);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        sandbox_prepare((const char *const *)words, 0);
        execvp(words[0], words);
        _exit(errno == ENOENT || !process_find(words[0]) ? 127 : 126); /* EACCES if a folder of PATH is unreadable */
    }
    close(ends[1]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue; /* the output is shorter than a pipe's capacity */
    sandbox_end(pid);
    const ssize_t n = pid > 0 ? read(ends[0], said, size - 1) : 0;
    said[n > 0 ? n : 0] = 0;
    said[strcspn(said, "\n")] = 0;
    if (pid < 0) snprintf(said, size, "%s", strerror(error));
    if (pid > 0 && WIFSIGNALED(status)) snprintf(said, size, "killed by signal %d", WTERMSIG(status));
    close(ends[0]);
    sandbox_free(words);
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
bool sandbox_present(char *message, size_t size) {
    char said[200];
    sandbox_groups();
    int status = try(said, sizeof said);
    if (status < 0 || status > 128) status = try(said, sizeof said); /* killed by a signal: retry once */
    if (status == 127)
        snprintf(message, size,
                 "an untrusted file is graded in a sandbox, but bubblewrap is not installed: `sudo apt-get install "
                 "bubblewrap`; --no-sandbox grades a file that you trust without a sandbox");
    else if (status < 0 || strstr(said, strerror(EAGAIN)))
        snprintf(message, size,
                 "an untrusted file is graded in a sandbox, but bubblewrap cannot start a process (%s): this user has "
                 "too many processes, or the machine lacks memory; grade fewer submissions at a time (make -j1), or "
                 "raise `ulimit -u`",
                 said);
    else if (status)
        snprintf(message, size,
                 "an untrusted file is graded in a sandbox, but bubblewrap is not permitted on this machine (%s): "
                 "allow user namespaces (docs/security.md), or use --no-sandbox (make: NO_SANDBOX=1) in a container "
                 "that is discarded afterward",
                 said);
    return status == 0;
}
void sandbox_print(FILE *out) {
    char message[600];
    const bool present = sandbox_present(message, sizeof message);
    const char *lacking = sandbox_no_groups();
    fprintf(out, "sandbox: %s\n", present ? "bubblewrap" : message);
    fprintf(out, "system-call filter: %s\n",
            sandbox_filters() ? "in use" : "none, because the Linux kernel does not support seccomp");
    fprintf(out, "control groups: %s%s\n", lacking ? "not in use: " : "in use", lacking ? lacking : "");
}
