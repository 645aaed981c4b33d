/* Runs a part of a grade in a child process, so that a crash or an endless loop loses only that part. */
#ifndef JUDGE_CHILD_H
#define JUDGE_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct judge;
enum {
    CHILD_CPU_SECONDS = 300, /* CPU-time limit, far above what the limits of simulated work allow */
    CHILD_SECONDS =
        300 /* wall-clock limit, multiplied by the environment variable CK_TIMEOUT_MULTIPLIER, as in Check */
};

/* The work of a child. Returns an object whose JSON text has at most 4 MiB, or NULL. */
typedef json_t *child_work(struct judge *j, const void *context);
enum child_end {
    CHILD_DONE,       /* the child left a result; its exit status does not matter */
    CHILD_STOPPED,    /* the work ended without a result, by a crash, the CPU-time limit, or a call to exit() */
    CHILD_GPU_FAILED, /* a signal ended the child, which uses a GPU. The GPU's driver, which runs in the child and
                         compiles the submission's PTX, may be at fault */
    CHILD_KILLED,     /* the child or a worker was killed from outside (sandbox/ended.h), or the child did not start */
    CHILD_LATE,       /* the child exceeded the wall-clock limit */
    CHILD_NO_FILE     /* Check could not write its temporary file */
};
/* Runs work(j, context) in a child process, and once more if the first attempt ended with CHILD_KILLED, CHILD_LATE or
 * CHILD_NO_FILE. Processes that the child starts end with it. If *end is CHILD_DONE, returns the result, which the
 * caller frees with json_decref(). Otherwise returns NULL, and `how` describes how the process ended, such as "signal
 * 11 (Segmentation fault)". */
json_t *child_run(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how, size_t size);

/* A child that is started and finished by separate calls, so that several children can run concurrently. */
struct child {
    pid_t pid;   /* 0 if there is no child, -1 if it did not start */
    int results; /* descriptor of the in-memory file for the result */
};
void child_start(struct judge *j, struct child *c, child_work *work, const void *context);
json_t *child_finish(const struct judge *j, struct child *c, enum child_end *end, char *how, size_t size);
void child_stop(struct child *c); /* kills the child, if any, and discards its result */
/* child_was_disturbed() returns whether the work must run again; child_run() handles this case itself. child_again()
 * replaces the workers and runs the work again, so no other child may be running. */
bool child_was_disturbed(enum child_end end);
json_t *child_again(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how,
                    size_t size);

#endif
