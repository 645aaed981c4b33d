/* Candidate edits, compiled and run. */
#ifndef FIX_TRIAL_H
#define FIX_TRIAL_H

#include "fix/edits.h"
#include "judge/judge.h"

enum { TRIAL_CASES = 96 };
/* What came of the cases: which are right, without an error, and the findings of all. */
struct trial_outcome {
    unsigned right; /* cases */
    bool is_right[TRIAL_CASES];
    struct finding_list findings;
    unsigned run;  /* cases that were run; the others count as wrong */
    uint64_t work; /* warp-instructions of them */
};
struct trial {
    struct judge judge; /* with a lab of few variants, and a small budget */
    struct judge_options options;
    struct lab lab;
    struct grade_case cases[TRIAL_CASES];
    unsigned count;
    const struct source *source;
    const char *kernel; /* whose cases they are */
    bool strict;        /* a case with a warning is not right either */
    bool quick;         /* edits are compiled quickly, into five times the instructions */
};
/* A trial of the variants in that mask: draws the cases of all checks that fail in `tests`, and takes `failed`, too. */
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 uint32_t variants, const struct source *source);
/* The submission as it is. Cases that it cannot run in so much work (trial.c) are none. */
void trial_baseline(struct trial *t, struct trial_outcome *o);
/* Compiles `count` edits at once, and runs them: first on case `probe`, then, if that is right, on all, as far as its
 * work goes. outcome[k] stands for edit[k]; compiled[k]: it compiles. `kernel`: others are left out of the compilation;
 * NULL: none is. */
void trial_run(struct trial *t, struct edit *const edit[], unsigned count, unsigned probe, const char *kernel,
               struct trial_outcome outcome[], bool compiled[]);
/* Were all error findings of `now` there before, at the same lines? */
bool trial_nothing_new(const struct trial_outcome *before, const struct trial_outcome *now);

#endif
