/* Decides whether an edit is a fix, and which of two fixes is better. */
#ifndef FIX_PROOF_H
#define FIX_PROOF_H

#include "fix/trial.h"

/* Returns whether the outcome `now`, with the edit, proves that the edit is a fix. `before` is the outcome without the
 * edit. */
bool edit_is_proven(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                    const struct trial_outcome *now);
/* Returns whether the edit removes the most severe finding, causes no error, and makes no case wrong. Other mistakes
 * may remain. The trial must have run the edit on every case. */
bool edit_removes_finding(const struct edit *e, const struct trial_outcome *before, const struct trial_outcome *now);
/* Returns whether the outcome has a finding of the kind with this key. */
bool outcome_has_finding(const struct trial_outcome *o, const char *kind);
/* Returns whether edits with this cause only make threads wait or order memory. These edits cannot hide another
 * mistake. */
bool cause_orders(enum fix_cause cause);
/* Returns whether the edit corrects one of several mistakes. It must cause no error, hide no mistake, and make no
 * correct result wrong. It must also remove the most severe finding and correct at least two cases and a quarter of
 * the wrong ones, or correct at least two results and three quarters of the wrong ones. If it only corrects results, at
 * least one case must also become free of errors. Edits that reset the ticket or set a first value need not do this. If
 * the edit inserts only identity(), one corrected result is enough. The trial must have run the edit on every case. */
bool edit_makes_progress(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                         const struct trial_outcome *now);
/* Returns how many characters the edit removes and inserts. Words and punctuation that the old and the new text share
 * at either end do not count. */
size_t edit_size(const struct source *s, const struct edit *e);
/* Returns whether edit `a` makes all changes of edit `b`, and more. */
bool edit_includes(const struct edit *a, const struct edit *b);
/* Returns whether both edits insert the same missing store or step, perhaps at different places. */
bool edit_is_moved(const struct edit *a, const struct edit *b);
/* Returns whether edit `a` is preferred to edit `b` for its cause, however much work either does. */
bool edit_is_preferred(const struct edit *a, const struct edit *b);
/* An edit and a summary of its outcome. The summary is a copy, because the trial's outcomes are overwritten. */
struct helpful {
    const struct source *source;
    struct edit *edit;
    unsigned right, badness;
    bool spares; /* the edit changes no function that other, correct kernels call */
    uint64_t work, traffic;
    size_t size;
    unsigned far; /* the edit's distance from the findings (near.h); 0 in a quick trial */
};
struct helpful helpful_of(const struct source *s, struct edit *e, const struct trial_outcome *o);
/* Returns whether x is a better edit than y. With `quick`, all edits are compiled into one kernel, which selects one at
 * run time. The measured work is then only a rough guide. */
bool helpful_is_better(const struct helpful *x, const struct helpful *y, bool quick);

#endif
