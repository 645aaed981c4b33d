/* Runs a compiler on one translation unit, through the cache. compile.c combines multiple runs. */
#ifndef COMPILE_COMPILE_RUN_H
#define COMPILE_COMPILE_RUN_H

#include "compile/compile.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The text to compile: the translation unit `unit` or, if it is NULL, the submission itself as a single variant. */
struct job {
    const struct compiler *compiler;
    const struct compile_request *request;
    const char *source, *unit;
    struct variant variant;
    double deadline;   /* time (clock_seconds()) by which the run must end */
    atomic_uint *used; /* CPU time that the runs have used, in milliseconds */
};
struct product {
    enum compile_status status;
    bool stopped; /* whether the compiler exceeded a limit */
    bool again;   /* whether the run may be repeated because another process may have killed the compiler */
    char *ptx, *log;
    size_t length;
};
/* Returns the result from the cache or, if `compiles`, runs the compiler. Repeats the run once if it fails for a reason
 * unrelated to the submission. */
struct product compile_run(const struct job *j, bool compiles);
/* Runs the compiler once, without the cache. */
struct product compile_run_once(const struct job *j);

/* Text that is written through a stream. */
struct text {
    char *data;
    size_t length;
};
static inline FILE *open_text(struct text *t) {
    FILE *f = open_memstream(&t->data, &t->length);
    if (!f) abort();
    return f;
}
/* Closes the stream, which completes the text. The caller frees the text's data. */
static inline void close_text(FILE *f) {
    if (fclose(f)) abort();
}

#endif
