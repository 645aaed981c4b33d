/* Compiles and runs candidate edits. */
#ifndef FIX_TRIAL_H
#define FIX_TRIAL_H

#include "fix/edits.h"
#include "judge/judge.h"

enum { TRIAL_CASES = 96 };
/* Symptoms of an error, as bits. They show which edits to try first. */
enum symptom {
    SHOWS_UNWRITTEN = 1, /* an output that was never written */
    SHOWS_BOUNDS = 2,
    SHOWS_UNINITIALIZED = 4,
    SHOWS_RACE = 8,
    SHOWS_BARRIER = 16,
    SHOWS_LANES = 32, /* a shuffle or __syncwarp() with missing lanes */
    SHOWS_ENDLESS = 64,
    SHOWS_LAUNCH = 128,    /* a later launch is wrong, but the first is not */
    SHOWS_OPERATOR = 256,  /* wrong only for some operators or types */
    SHOWS_ALIGNMENT = 512, /* a misaligned access of several bytes */
    ONLY = 1024            /* for a cause: its edits are not tried if none of its symptoms shows */
};
/* The results of the cases of a trial. */
struct trial_outcome {
    unsigned right; /* cases */
    bool is_right[TRIAL_CASES],
        is_result_right[TRIAL_CASES]; /* the result is correct: without an error; whatever the findings */
    struct finding_list findings;
    char *names[TRIAL_CASES]; /* names of files, if a case ran in another process */
    unsigned run;             /* number of cases that ran; the others are considered wrong */
    uint64_t work,
        effort; /* work: warp-instructions of these cases; effort: with the cost of the probes (device_run) */
    uint64_t work_of[TRIAL_CASES];
    bool is_endless[TRIAL_CASES];
    unsigned several, again;   /* cases of several blocks, and those of them that load elements repeatedly */
    unsigned spread, lopsided; /* cases with work for many blocks, and those in which one block reads nearly all */
    unsigned large, alone; /* cases with several elements per lane of a warp, and those of them in which lanes of one
                              number read nearly all elements, or elements are read many times */
    unsigned shows;        /* SHOWS_... */
};
struct trial {
    struct judge judge; /* a judge with few variants of the lab and a small budget */
    struct judge_options options;
    struct lab lab;
    struct grade_case cases[TRIAL_CASES];
    unsigned count;
    const struct source *source;
    const char *kernel; /* the kernel that the cases run */
    bool strict;        /* a case with a warning is considered wrong */
    bool quick;         /* edits are compiled together and selected at run time, which takes five times the work */
    bool optimized;     /* edits are compiled with optimization, which takes longer */
};
void trial_outcome_free(struct trial_outcome *o);
/* Begins a trial of the variants in the mask `variants`. Chooses cases of all checks that fail in `tests` or, if
 * `strict`, of all checks, and adds `failed`. */
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 bool strict, uint32_t variants, const struct source *source, bool quick);
/* Runs the unmodified submission. Drops cases that exceed the limits of trial.c. */
void trial_baseline(struct trial *t, struct trial_outcome *o);
/* Keeps at most `wrong` wrong and `right` correct cases, both cheap and expensive ones. Wrong cases come first. */
void trial_thin(struct trial *t, struct trial_outcome *o, unsigned wrong, unsigned right);
/* Returns whether the cases that have run are consistent with a fix: there is no new error, and at most half of the
 * wrong cases are still wrong. */
bool trial_helps(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now);
/* Compiles `count` edits at once and runs each on the case `probe`. An edit with a correct result then runs on all
 * cases while it helps and work is left. Sets compiled[k] if edit[k] compiles, fills in outcome[k], and decreases *left
 * by the work in warp-instructions. Only `kernel` is compiled, or all kernels if it is NULL. Returns false, without
 * running any edit, if the quickly compiled submission itself has the correct result for the probe. */
bool trial_run(struct trial *t, const struct trial_outcome *before, struct edit *const edit[], unsigned count,
               unsigned probe, const char *kernel, struct trial_outcome outcome[], bool compiled[], uint64_t *left);

#endif
