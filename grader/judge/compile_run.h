/* Runs a compiler once over one translation unit, with a cache. compile.c combines several runs. */
#ifndef JUDGE_COMPILE_RUN_H
#define JUDGE_COMPILE_RUN_H

#include "judge/compile.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What to compile: the translation unit `unit`, or, if `unit` is NULL, the submission itself as a single variant. */
struct job {
    const struct compiler *compiler;
    const struct compile_request *request;
    const char *source, *unit;
    struct variant variant;
    double deadline;   /* as a value of clock_seconds() */
    atomic_uint *used; /* CPU time used so far in milliseconds */
};
struct product {
    enum compile_status status;
    bool stopped; /* the compiler hit a limit */
    bool again;   /* the run may be repeated, because another process may have killed the compiler */
    char *ptx, *log;
    size_t length;
};
/* Takes the result from the cache, or runs the compiler if `compiles`. Repeats the run once after a failure that says
 * nothing about the submission. */
struct product compile_run(const struct job *j, bool compiles);
/* Runs the compiler once, without the cache. */
struct product compile_run_once(const struct job *j);

/* A text that is written as a stream. */
struct text {
    char *data;
    size_t length;
};
static inline FILE *open_text(struct text *t) {
    FILE *f = open_memstream(&t->data, &t->length);
    if (!f) abort();
    return f;
}
/* Closes the stream, which completes the text. free() the text's data. */
static inline void close_text(FILE *f) {
    if (fclose(f)) abort();
}

#endif
