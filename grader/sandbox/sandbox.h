/* Programs that touch an untrusted file are started by bubblewrap: they see the system's libraries and what they
 * are shown, read-only, and have no network, no other processes, no environment and a private /tmp. What they may use
 * up is limited by who starts them (judge/process.h, device/worker.c). docs/security.md says what it is for. */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SANDBOX_SHOWN = 10 };
struct sandbox {
    bool compiler;       /* shows also programs, headers and the toolkit's folders that command[0] is in */
    const char *toolkit; /* where command[0] is a wrapper: another folder of that kind; or NULL */
    const char *hidden;  /* a folder that is empty there, wherever it lies, except for what is shown of it; or NULL */
    struct {
        const char *from, *to;
        bool writable;
    } shown[SANDBOX_SHOWN];     /* files and folders, at the same or another path; read-only, unless it says so */
    const char *directory;      /* where the command starts; NULL: the writable folder, or / */
    const char *preload;        /* a library that is loaded first; it is shown, too; or NULL */
    bool environment;           /* the command has the environment of its starter */
    const char *writable;       /* the one folder that may be written: at its own path, and TMPDIR; or NULL */
    bool told;                  /* what it prints ends with whether it was run at all: sandbox_ran() */
    const char *const *command; /* up to NULL; [0] is an absolute path inside the sandbox */
};
/* The words that start s->command in the sandbox, up to NULL; sandbox_free() them. NULL: out of memory. */
char **sandbox_words(const struct sandbox *s);
void sandbox_free(char **words);
/* Takes the sandbox's own words out of what a `told` one has printed; false where the command never ran. */
bool sandbox_ran(char *output);
/* Ends what is left of one whose first process has a process group of its own: where that is killed as it begins, the
 * next waits for it for ever, and holds what it was given. */
void sandbox_end(pid_t leader);
/* A file descriptor that can be read when that child has ended; -1 where the system has none. */
int sandbox_watch(pid_t child);
/* Whether bubblewrap is installed and permitted; if not, a message that says so and what to do. Starts it once. */
bool sandbox_present(char *message, size_t size);

#endif
