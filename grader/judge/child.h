/* Runs work of the judge in a child process, so that a crash or an endless loop costs only that work. */
#ifndef JUDGE_CHILD_H
#define JUDGE_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct judge;
enum {
    CHILD_CPU_SECONDS = 300, /* limit of the process's CPU time, a tenth of which simulation may use */
    CHILD_SECONDS = 300      /* wall-clock limit; multiplied by the variable CK_TIMEOUT_MULTIPLIER, as in Check */
};

/* The work of a child. Returns an object whose text has at most 4 MiB, or NULL. */
typedef json_t *child_work(struct judge *j, const void *context);
enum child_end {
    CHILD_DONE,       /* the child left a result; its exit status does not matter */
    CHILD_STOPPED,    /* the work ended without a result: a crash, the CPU-time limit, or a call of exit() */
    CHILD_GPU_FAILED, /* a signal ended the child while it used a GPU, whose driver compiles the file in that process */
    CHILD_KILLED,     /* the child or one of its workers was killed from outside (sandbox/ended.h), twice */
    CHILD_LATE,       /* the child exceeded the wall-clock limit twice */
    CHILD_NO_FILE     /* Check could not write its temporary file, twice */
};
/* Runs work(j, context) in a child process. Processes that it starts end with it. If *end is CHILD_DONE, returns the
 * result; free it with json_decref(). Otherwise returns NULL, and `how` describes how the process ended, such as
 * "signal 11 (Segmentation fault)". */
json_t *child_run(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how, size_t size);

/* Runs a child in steps, so that several can run at once. */
struct child {
    pid_t pid; /* 0 if there is no child */
    int results;
};
void child_start(struct judge *j, struct child *c, child_work *work, const void *context);
json_t *child_finish(const struct judge *j, struct child *c, enum child_end *end, char *how, size_t size);
void child_stop(struct child *c); /* kills the child, if any, and drops its result */
/* child_was_disturbed() returns whether to run the work again, as child_run() does. child_again() replaces the workers,
 * so no other child may be running. */
bool child_was_disturbed(enum child_end end);
json_t *child_again(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how,
                    size_t size);

#endif
