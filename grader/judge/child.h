/* Runs work of the judge in a child process, so that a crash or an endless loop costs only that work. */
#ifndef JUDGE_CHILD_H
#define JUDGE_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct judge;
enum {
    CHILD_CPU_SECONDS = 300, /* limit of the process's CPU time; simulation may take a tenth of it */
    CHILD_SECONDS = 300      /* wall clock; multiplied by the variable CK_TIMEOUT_MULTIPLIER, as in Check */
};

/* The work of a child. Returns an object of at most 4 MiB of text, or NULL. */
typedef json_t *child_work(struct judge *j, const void *context);
enum child_end {
    CHILD_DONE,       /* the child left a result; its exit status does not matter */
    CHILD_STOPPED,    /* the work ended without a result: by a crash, the CPU-time limit, or an exit */
    CHILD_GPU_FAILED, /* a signal ended it while it used a GPU, whose driver compiles the file in that process */
    CHILD_KILLED, /* it or one of its workers was killed from outside (sandbox/ended.h), also when it was run again */
    CHILD_LATE,   /* it exceeded the wall-clock limit twice */
    CHILD_NO_FILE /* Check could not write its temporary file, twice */
};
/* Runs work(j, context) in a child process. Processes that it starts end with it. If *end is CHILD_DONE, returns the
 * result, which the caller frees by json_decref(). Otherwise returns NULL, and `how` says how the process ended:
 * "signal 11 (Segmentation fault)". */
json_t *child_run(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how, size_t size);

/* The same in steps, to run several children at once. */
struct child {
    pid_t pid; /* 0: none */
    int results;
};
void child_start(struct judge *j, struct child *c, child_work *work, const void *context);
json_t *child_finish(const struct judge *j, struct child *c, enum child_end *end, char *how, size_t size);
void child_stop(struct child *c); /* kills the child and drops its result; does nothing without a child */
/* Whether to run the work again, as child_run() does. A second try replaces the workers, so no other child may be
 * running. */
bool child_was_disturbed(enum child_end end);
json_t *child_again(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how,
                    size_t size);

#endif
