/* Candidate edits, compiled and run. */
#ifndef FIX_TRIAL_H
#define FIX_TRIAL_H

#include "fix/edits.h"
#include "judge/judge.h"

enum { TRIAL_CASES = 96 };
/* Symptoms of an error, which show where to look first: bits. */
enum symptom {
    SHOWS_UNWRITTEN = 1, /* an output that was never written */
    SHOWS_BOUNDS = 2,
    SHOWS_UNINITIALIZED = 4,
    SHOWS_RACE = 8,
    SHOWS_BARRIER = 16,
    SHOWS_LANES = 32, /* a shuffle or __syncwarp() with missing lanes */
    SHOWS_ENDLESS = 64,
    SHOWS_LAUNCH = 128,    /* a later launch is wrong, the first is not */
    SHOWS_OPERATOR = 256,  /* wrong only for some operators or types */
    SHOWS_ALIGNMENT = 512, /* a misaligned access of several bytes */
    ONLY = 1024            /* for a cause: it is excluded if none of its symptoms shows */
};
/* The results of the cases: which are correct, without an error, and all their findings. */
struct trial_outcome {
    unsigned right;                                           /* cases */
    bool is_right[TRIAL_CASES], is_result_right[TRIAL_CASES]; /* without an error; regardless of findings */
    struct finding_list findings;
    char *names[TRIAL_CASES]; /* of their files, if a case ran in another process */
    unsigned run;             /* cases run; the others count as wrong */
    uint64_t work, effort; /* warp-instructions executed by them; the same plus the cost of the probes (device_run) */
    uint64_t work_of[TRIAL_CASES];
    bool is_endless[TRIAL_CASES];
    unsigned spread, lopsided; /* cases that keep several blocks busy; those in which one reads nearly all, or all do */
    unsigned shows;            /* SHOWS_... */
};
struct trial {
    struct judge judge; /* with a lab of few variants, and a small budget */
    struct judge_options options;
    struct lab lab;
    struct grade_case cases[TRIAL_CASES];
    unsigned count;
    const struct source *source;
    const char *kernel; /* whose cases they are */
    bool strict;        /* a case with a warning counts as wrong, too */
    bool quick;         /* edits are compiled quickly, to five times as many instructions */
};
void trial_outcome_free(struct trial_outcome *o);
/* A trial of the variants in that mask: draws the cases of all checks that fail in `tests`, or of all (`strict`), plus
 * `failed`. */
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 bool strict, uint32_t variants, const struct source *source, bool quick);
/* The unmodified submission. Drops cases that exceed the limits of trial.c. */
void trial_baseline(struct trial *t, struct trial_outcome *o);
/* Keeps at most that many of its wrong and of its correct cases, cheap and expensive ones, the wrong ones first. */
void trial_thin(struct trial *t, struct trial_outcome *o, unsigned wrong, unsigned right);
/* Whether the cases run so far are consistent with a fix: there is no new error, and at most half of the wrong ones are
 * still wrong. */
bool trial_helps(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now);
/* Compiles `count` edits at once, and runs them: first on case `probe` and, if that is correct, on all, while they help
 * and work is left: decreases *left, in warp-instructions. outcome[k] is for edit[k]; compiled[k]: it compiles.
 * `kernel`: others are not compiled; NULL: all are. False: compiled quickly, the submission itself gives the correct
 * result for the probe, so no edit was run. */
bool trial_run(struct trial *t, const struct trial_outcome *before, struct edit *const edit[], unsigned count,
               unsigned probe, const char *kernel, struct trial_outcome outcome[], bool compiled[], uint64_t *left);

#endif
