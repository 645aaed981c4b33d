/* Runs a part of a grade in a child process, so that a crash or an infinite loop loses only that part. */
#ifndef JUDGE_CHILD_H
#define JUDGE_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct judge;
enum {
    CHILD_CPU_SECONDS = 300, /* CPU-time limit; the limits of simulated work allow far less */
    CHILD_SECONDS = 300      /* wall-clock limit; CK_TIMEOUT_MULTIPLIER multiplies it, as in Check */
};

/* The work of a child. Returns an object whose JSON text has at most 4 MiB, or NULL. */
typedef json_t *child_work(struct judge *j, const void *context);
enum child_end {
    CHILD_DONE,       /* the child left a result, whatever its exit status */
    CHILD_STOPPED,    /* the work ended without a result: by a crash, the CPU-time limit, or a call of exit() */
    CHILD_GPU_FAILED, /* a signal ended a child that uses a GPU. The GPU's driver may be at fault: it runs in the child
                         and compiles the submission's PTX */
    CHILD_KILLED,     /* the child did not start, or it or a worker was killed from outside (sandbox/ended.h) */
    CHILD_LATE,       /* the child exceeded the wall-clock limit */
    CHILD_NO_FILE     /* Check could not write its temporary file */
};
/* Runs work(j, context) in a child process. Runs it once more after CHILD_KILLED, CHILD_LATE or CHILD_NO_FILE.
 * Processes that the child starts end with it. If *end is CHILD_DONE, returns the result; free it with json_decref().
 * Otherwise, returns NULL, and `how` says how the process ended, such as "signal 11 (Segmentation fault)". */
json_t *child_run(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how, size_t size);

/* A child with separate calls for start and end, so that several children can run at the same time. */
struct child {
    pid_t pid;   /* 0: no child; -1: the child did not start */
    int results; /* descriptor of the file in memory for the result */
};
void child_start(struct judge *j, struct child *c, child_work *work, const void *context);
json_t *child_finish(const struct judge *j, struct child *c, enum child_end *end, char *how, size_t size);
void child_stop(struct child *c); /* kills the child, if there is one, and discards its result */
/* child_was_disturbed() returns whether the work must run again; child_run() does so itself. child_again() replaces the
 * workers and runs the work again. No other child may be running. */
bool child_was_disturbed(enum child_end end);
json_t *child_again(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how,
                    size_t size);

#endif
