/* Compiles and runs candidate edits. */
#ifndef FIX_TRIAL_H
#define FIX_TRIAL_H

#include "fix/edits.h"
#include "judge/judge.h"

enum { TRIAL_CASES = 96, TRIAL_LINES = 1024 };
/* Symptoms of an error, as bits. They decide which edits are tried first. */
enum symptom {
    SHOWS_UNWRITTEN = 1, /* an output was never written */
    SHOWS_BOUNDS = 2,
    SHOWS_UNINITIALIZED = 4,
    SHOWS_RACE = 8,
    SHOWS_BARRIER = 16,
    SHOWS_LANES = 32, /* a shuffle or __syncwarp() has missing lanes */
    SHOWS_ENDLESS = 64,
    SHOWS_LAUNCH = 128,     /* a later launch is wrong, but the first is correct */
    SHOWS_OPERATOR = 256,   /* results are wrong only for some operators or types */
    SHOWS_ALIGNMENT = 512,  /* a multi-byte access is misaligned */
    SHOWS_LARGE = 1024,     /* all wrong cases are so large that only a sample of their blocks runs */
    SHOWS_RESIDENCY = 4096, /* a block waits for a block that may not have started */
    SHOWS_BLOCKS = 8192,    /* only cases with more blocks than threads per block are wrong */
    ONLY = 2048 /* flag in causes.def: the edits are tried only if the submission has one of the listed symptoms */
};
/* The results of running the cases of a trial. */
struct trial_outcome {
    unsigned right; /* number of correct cases */
    /* Indexed by case. is_result_right: the result is correct. is_right: the case also has no error findings (in a
     * strict trial: no warnings, either; in a quick trial, errors that the submission also has may remain). */
    bool is_right[TRIAL_CASES], is_result_right[TRIAL_CASES];
    bool has_error[TRIAL_CASES]; /* indexed by case: the case has error findings */
    struct finding_list findings;
    char *names[TRIAL_CASES]; /* file names, if a case ran in another process */
    unsigned run;             /* number of cases that ran; the others count as wrong */
    /* Warp-instructions of these cases. effort: with the cost of the probes (struct device_run). */
    uint64_t work, effort;
    uint64_t work_of[TRIAL_CASES];
    bool is_endless[TRIAL_CASES];
    /* several: cases with several blocks; again: those of them in which blocks load elements repeatedly */
    unsigned several, again;
    /* spread: cases with enough work for several blocks; lopsided: those of them in which one block reads nearly all
     * elements. */
    unsigned spread, lopsided;
    /* large: cases with at least two elements for each lane of a warp; alone: those of them in which one lane of each
     * warp reads nearly all elements, or in which elements are read repeatedly. */
    unsigned large, alone;
    unsigned shows; /* SHOWS_... bits */
    /* Sectors of global memory plus wavefronts of shared memory, summed over the cases' first launches; 0 in a quick
     * trial. */
    uint64_t traffic;
    /* Indexed by line of the file; not set in a quick trial. Only accesses to memory show that a line executes: a
     * compiler may move other instructions out of a branch. */
    bool accessed[TRIAL_LINES];
    bool crowded; /* blocks use more atomics than the lab allows; not set in a quick trial */
};
/* Two edits that run together. */
struct edit_pair {
    unsigned first, second; /* indices into the edits of trial_run() */
};
struct trial {
    struct judge judge; /* a judge with few of the lab's variants and a small budget */
    struct judge_options options;
    struct lab lab;
    struct grade_case cases[TRIAL_CASES];
    unsigned count;
    const struct source *source;
    const char *kernel; /* the kernel of the cases, except those of trial_add_others() */
    bool strict;        /* a case with a warning counts as wrong */
    bool quick;     /* edits are compiled together and selected at run time, so each run executes several times as many
                       instructions */
    bool every;     /* edits run on all cases, even if they do not help */
    bool optimized; /* edits are compiled with optimization, which takes longer */
    /* The pairs of edits to run instead of single edits, if `pairs` is not 0. Only a quick trial runs pairs. */
    const struct edit_pair *pair;
    unsigned pairs;
    bool after; /* all pairs share the first edit, and the outcome `before` is with this edit */
};
void trial_outcome_free(struct trial_outcome *o);
/* Begins a trial of the variants in the mask `variants`. Selects cases of `failed`'s kernel from the checks that fail
 * in `tests`, or from all checks if `strict`. Includes `failed` if it is small, or if only a sample of its blocks runs.
 */
void trial_begin(struct trial *t, const struct judge *j, const json_t *tests, const struct grade_case *failed,
                 bool strict, uint32_t variants, const struct source *source, bool quick);
/* Runs the unmodified submission until the limit on work in trial.c is reached. Drops the cases that have not run. */
void trial_baseline(struct trial *t, struct trial_outcome *o);
/* Keeps at most `wrong` wrong cases, then at most `right` correct ones. Prefers cheap cases of both kinds. */
void trial_thin(struct trial *t, struct trial_outcome *o, unsigned wrong, unsigned right);
/* Keeps the `count` cases with the indices `chosen`, and their outcomes. */
void trial_select(struct trial *t, struct trial_outcome *o, const unsigned chosen[], unsigned count);
/* Adds a few launches with many elements per thread or with many blocks, and runs the submission on them. */
void trial_extend(struct trial *t, const struct grade_case *like, struct trial_outcome *o);
/* Adds a few correct cases of other kernels, which an edit of a shared function must not break. */
void trial_add_others(struct trial *t, struct trial_outcome *o);
/* Returns whether case k runs t->kernel. */
bool trial_is_of_kernel(const struct trial *t, unsigned k);
/* Returns whether the list has a finding of the same kind on the same line as f. Returns false if f is NULL. */
bool finding_is_in(const struct finding_list *l, const struct finding *f);
/* Returns whether `now` has an error that `before` does not have. */
bool has_new_error(const struct finding_list *before, const struct finding_list *now);
/* Returns the most severe error of the list, or NULL. */
const struct finding *finding_gravest(const struct finding_list *l);
/* Returns whether the results so far are consistent with a fix: no new error, and at most half as many
 * wrong cases as before. */
bool trial_helps(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now);
/* Compiles `count` edits together and runs each one on case `probe`. If the case is correct, the edit then runs on
 * all cases, while it helps and work is left. With t->every, each edit runs on all cases. Sets compiled[k] to whether
 * edit[k] compiles, and fills in outcome[k], which belongs to edit k or to pair k. Decreases *left by the work in
 * warp-instructions. Compiles only `kernel`, or all kernels if it is NULL.
 *
 * A quick trial compiles the submission in a different way, so it may no longer show the error in case `probe`. If it
 * does not, runs no further edit and returns false. */
bool trial_run(struct trial *t, const struct trial_outcome *before, struct edit *const edit[], unsigned count,
               unsigned probe, const char *kernel, struct trial_outcome outcome[], bool compiled[], uint64_t *left);

#endif
