/* Runs programs that handle an untrusted file under bubblewrap. They see only the system's libraries and the files that
 * they are given, read-only. They have no network, see no other processes, get no environment, and have a private /tmp.
 * The caller limits their resources (judge/process.h, device/worker.c). docs/security.md explains why. */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

enum { SANDBOX_SHOWN = 10 };
struct sandbox {
    bool compiler;       /* also shows programs, headers and the toolkit's folders around command[0] */
    const char *toolkit; /* if command[0] is a wrapper: another toolkit folder; or NULL */
    const char *hidden;  /* a folder that appears empty, except for its shown parts; or NULL */
    struct {
        const char *from, *to;
        bool writable;
    } shown[SANDBOX_SHOWN]; /* files and folders to show, at the same or another path; read-only unless stated */
    const char *directory;  /* the command's working directory; NULL: the writable folder, or / */
    const char *preload[2]; /* libraries for LD_PRELOAD, which are also shown; or NULL */
    bool environment;       /* the command inherits the environment */
    bool utf8;              /* the locale is C.UTF-8 instead of C, for names of files in archives */
    const char *writable;   /* the only writable folder, at its own path; TMPDIR names it; or NULL */
    const char *output; /* in place of `writable`: an existing file in `directory`. Everything else is read-only, and
                           other files go to a /tmp in memory of limited size; or NULL */
    bool told;          /* the output also says whether the command was run: sandbox_ran() */
    const char *const *command; /* NULL-terminated; [0] is an absolute path inside the sandbox */
};
/* The argument vector that runs s->command in the sandbox, NULL-terminated; sandbox_free() it. NULL: out of memory. */
char **sandbox_words(const struct sandbox *s);
void sandbox_free(char **words);
/* Call this in the child process before it executes these words. Opens a descriptor with the filter of system calls,
 * and joins a control group with this limit of memory (0: none). Does nothing for other programs. */
#define SANDBOX_PROGRAM "bwrap"
#define SANDBOX_FILTER 9
void sandbox_prepare(const char *const words[], size_t memory_bytes);
/* Whether this kernel filters system calls; otherwise there is no filter (filter.c). */
bool sandbox_filters(void);
/* Whether sandboxes get control groups (group.c). The first call, before there are threads, finds out. */
bool sandbox_groups(void);
/* Why sandboxes get no control groups, and what to do about it; NULL if they get them. */
const char *sandbox_no_groups(void);
/* Moves this process to a control group of its own, if there are control groups. */
void sandbox_join(size_t memory_bytes);
/* Removes the sandbox's own lines from the output of a `told` command. False if the command was never run. */
bool sandbox_ran(char *output);
/* Kills what is left of a sandbox, whose first process leads a process group. If that process is killed as it starts,
 * the next one would wait for it forever and hold its resources. Returns the limit of memory that ended the whole
 * sandbox, 0 if none did. */
size_t sandbox_end(pid_t leader);
/* A file descriptor that becomes readable when the child exits; -1 if the system has none. */
int sandbox_watch(pid_t child);
/* Whether bubblewrap is installed and permitted. If not, the message says what to do. Tests it only once. */
bool sandbox_present(char *message, size_t size);
/* Prints in three lines what protects this machine from submissions: bubblewrap, the filter, the control groups. */
void sandbox_print(FILE *out);

#endif
