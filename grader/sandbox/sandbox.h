/* Runs programs that handle an untrusted file under bubblewrap. They see the system's libraries, the files that `struct
 * sandbox` names (read-only unless it says otherwise), and a private /tmp. They have no network and do not see other
 * processes. Their environment has only a few variables unless they inherit it. The caller limits their resources
 * (sandbox/process.h, device/worker.c). docs/security.md explains the reasons. */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum { SANDBOX_SHOWN = 10 };
struct sandbox {
    bool compiler;       /* whether to also show programs, headers, and the toolkit's folders around command[0] */
    const char *toolkit; /* folder of the toolkit if command[0] is a wrapper; NULL if none */
    const char *hidden;  /* folder that appears empty except for the parts in `shown`; NULL if none */
    struct {
        const char *from, *to;
        bool writable;
    } shown[SANDBOX_SHOWN]; /* files and folders to show, at the same path or another; read-only unless `writable` */
    const char *directory;  /* working directory; NULL for the writable folder, or / */
    const char *preload[2]; /* libraries for LD_PRELOAD, which are shown as well; NULL if none */
    bool environment;       /* whether to inherit the environment; if so, system calls are not filtered */
    bool utf8;              /* whether to set the locale C.UTF-8 instead of C, for file names in archives */
    const char *writable;   /* a writable folder, at its own path, which is also TMPDIR; NULL if none */
    const char *output;  /* alternative to `writable`: an existing file in `directory` that becomes writable, while the
                          * rest of `directory` stays read-only and TMPDIR is /tmp; NULL if none */
    bool reports_status; /* whether lines around the output report that the command was run, for sandbox_ran() */
    const char *const *command; /* NULL-terminated; command[0] is an absolute path inside the sandbox */
};
/* Returns the NULL-terminated argument vector that runs s->command in the sandbox, or NULL if out of memory. Free it
 * with sandbox_free(). */
char **sandbox_words(const struct sandbox *s);
void sandbox_free(char **words);
/* Prepares the child process that is about to execute `words`. Opens the system-call filter as descriptor
 * SANDBOX_FILTER, and joins a control group (sandbox_join()). On failure, exits with status 126. Does nothing unless
 * words[0] is SANDBOX_PROGRAM. */
#define SANDBOX_PROGRAM "bwrap"
#define SANDBOX_FILTER 9
void sandbox_prepare(const char *const words[], size_t memory_bytes);
/* Returns whether Linux can filter system calls. If not, sandboxes have no filter (filter.c). */
bool sandbox_filters(void);
/* Returns whether sandboxes get control groups (group.c). The first call performs the test and must precede the
 * creation of threads. */
bool sandbox_groups(void);
/* Returns why sandboxes get no control groups and what to do about it, or NULL if they get them. */
const char *sandbox_no_groups(void);
/* Moves this process to a new control group with this memory limit (0: none), if control groups are available. */
void sandbox_join(size_t memory_bytes);
/* Removes the sandbox's own lines from the output of a command with `reports_status`. Returns false if the command was
 * not run. */
bool sandbox_ran(char *output);
/* Kills the remaining processes of a sandbox and removes its control group. `leader` is the sandbox's first process,
 * which leads a process group. The kill is necessary because the sandbox's second process may wait forever for a leader
 * that was killed during startup. Returns the control group's memory limit in bytes if a process was killed for
 * exceeding it, otherwise 0. */
size_t sandbox_end(pid_t leader);
/* Returns a file descriptor that becomes readable when the child exits, or -1 if the system does not support that. */
int sandbox_watch(pid_t child);
/* Returns whether bubblewrap is installed, is permitted, and can start a process. If not, `message` says what to do. */
bool sandbox_present(char *message, size_t size);
/* Prints three lines that describe what protects this machine from submissions: bubblewrap, the system-call filter, and
 * control groups. */
void sandbox_print(FILE *out);

#endif
