/* Candidate edits, compiled and run. */
#ifndef FIX_TRIAL_H
#define FIX_TRIAL_H

#include "fix/edits.h"
#include "judge/judge.h"

enum { TRIAL_CASES = 96 };
/* What shows that something is wrong, and where to look first: bits. */
enum symptom {
    SHOWS_UNWRITTEN = 1, /* an output that nothing was written to */
    SHOWS_BOUNDS = 2,
    SHOWS_UNINITIALIZED = 4,
    SHOWS_RACE = 8,
    SHOWS_BARRIER = 16,
    SHOWS_LANES = 32, /* a shuffle or __syncwarp() that lanes miss */
    SHOWS_ENDLESS = 64,
    SHOWS_LAUNCH = 128,    /* a later launch is wrong, the first is not */
    SHOWS_OPERATOR = 256,  /* wrong for some operators or types alone */
    SHOWS_ALIGNMENT = 512, /* an access of several bytes at an address that is no multiple of them */
    ONLY = 1024            /* of a cause: where none of its symptoms shows, it is not that */
};
/* What came of the cases: which are right, without an error, and the findings of all. */
struct trial_outcome {
    unsigned right;                                           /* cases */
    bool is_right[TRIAL_CASES], is_result_right[TRIAL_CASES]; /* without an error; whatever was found */
    struct finding_list findings;
    char *names[TRIAL_CASES]; /* of their files, where a case ran in another process */
    unsigned run;             /* cases that were run; the others count as wrong */
    uint64_t work;            /* warp-instructions of them */
    uint64_t work_of[TRIAL_CASES];
    bool is_endless[TRIAL_CASES];
    unsigned shows; /* SHOWS_... */
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
void trial_outcome_free(struct trial_outcome *o);
/* A trial of the variants in that mask: draws the cases of all checks that fail in `tests`, or of all (`strict`), and
 * takes `failed`, too. */
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 bool strict, uint32_t variants, const struct source *source, bool quick);
/* The submission as it is. A case that exceeds the limits of trial.c is left out. */
void trial_baseline(struct trial *t, struct trial_outcome *o);
/* Keeps at most that many of its wrong and of its right cases, of little and of much work, the wrong ones first. */
void trial_thin(struct trial *t, struct trial_outcome *o, unsigned wrong, unsigned right);
/* Do the cases that were run continue to prove that the edit helps? No error is new, and of the wrong ones at most half
 * are wrong still. */
bool trial_helps(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now);
/* Compiles `count` edits at once, and runs them: first on case `probe`, then, if that is right, on all, as long as they
 * help and there is work left: *left warp-instructions, which grow less. outcome[k] stands for edit[k]; compiled[k]: it
 * compiles. `kernel`: others are left out of the compilation; NULL: none is. False: compiled quickly the submission
 * itself has the probe's right result, so that no edit was run. */
bool trial_run(struct trial *t, const struct trial_outcome *before, struct edit *const edit[], unsigned count,
               unsigned probe, const char *kernel, struct trial_outcome outcome[], bool compiled[], uint64_t *left);

#endif
