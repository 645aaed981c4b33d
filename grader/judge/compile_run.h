/* One run of a compiler over one translation unit, with its cache. compile.c combines several runs. */
#ifndef JUDGE_COMPILE_RUN_H
#define JUDGE_COMPILE_RUN_H

#include "judge/compile.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What to compile: the translation unit `unit`, or, if it is NULL, the submission itself as a single variant. */
struct job {
    const struct compiler *compiler;
    const struct compile_request *request;
    const char *source, *unit;
    struct variant variant;
    double deadline;   /* in clock_seconds() */
    atomic_uint *used; /* milliseconds of CPU time used so far */
};
struct product {
    enum compile_status status;
    bool stopped; /* the compiler hit a limit */
    bool again;   /* another process may have killed it */
    char *ptx, *log;
    size_t length;
};
/* Runs the compiler, or takes the result from the cache. `compiles`: whether to compile what is not cached. A failure
 * that says nothing about the submission is tried again once. */
struct product compile_run(const struct job *j, bool compiles);
/* The same without the cache and without a second try. */
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
/* Closes the stream, which completes the text; free() its data. */
static inline void close_text(FILE *f) {
    if (fclose(f)) abort();
}

#endif
