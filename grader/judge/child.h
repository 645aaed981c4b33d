/* Work of the judge in a process of its own: a crash or an endless loop costs that work alone. */
#ifndef JUDGE_CHILD_H
#define JUDGE_CHILD_H

#include <jansson.h>
#include <stddef.h>

struct judge;
enum {
    CHILD_CPU_SECONDS = 300, /* of the process itself; what it may simulate takes a tenth */
    CHILD_SECONDS = 300      /* by the clock; times the variable CK_TIMEOUT_MULTIPLIER, as Check has it */
};

/* What is done there: gives an object, of at most 4 MiB of text, or NULL. */
typedef json_t *child_work(struct judge *j, const void *context);
enum child_end {
    CHILD_DONE,       /* the result is there, whatever the process's exit status says */
    CHILD_STOPPED,    /* caused by the work: a crash, its limit of processor time, or an exit before the result */
    CHILD_GPU_FAILED, /* a signal while a GPU was in use, whose driver compiles the file in that process */
    CHILD_KILLED,     /* from outside (sandbox/ended.h), or a worker that it used was, twice: once is tried again */
    CHILD_LATE        /* by the clock, twice */
};
/* Runs work(j, context) in a child, whose processes end with it. If *end is CHILD_DONE, returns the result, which the
 * caller frees by json_decref(). Otherwise returns NULL, and `how` says how the process ended: "signal 11 (Segmentation
 * fault)". */
json_t *child_run(struct judge *j, child_work *work, const void *context, enum child_end *end, char *how, size_t size);

#endif
