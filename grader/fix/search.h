/* The parts of the search for a fix. search.c tries edits quickly, confirm.c checks the best ones as a grade would, and
 * told.c describes them for reports. */
#ifndef FIX_SEARCH_H
#define FIX_SEARCH_H

#include "fix/proof.h"

/* Maximum numbers of edits. FOUND: helpful edits that are kept; BEST: edits of one final check; NEAR, LIKELIEST,
 * MAX_OWN: sizes of arrays in struct search. */
enum { FOUND = 24, BEST = 6, NEAR = 24, LIKELIEST = 256, MAX_OWN = 48 };
/* Edits that may correct one of several mistakes. They are evident, or reset or compare the ticket, or change the order
 * of operands, or correct some cases, or only order threads or memory at most ORDERS_NEAR lines from the most severe
 * finding. */
enum {
    MAX_EVIDENT = 24,
    MAX_RESETS = 8,
    MAX_REORDER = 12,
    MAX_TICKETS = 4,
    MAX_ORDERS = 16,
    ORDERS_NEAR = 8,
    MAX_CANDIDATES = MAX_EVIDENT + MAX_RESETS + MAX_REORDER + MAX_TICKETS + NEAR + MAX_ORDERS
};
/* An edit that improves some cases: its index in the list of edits, its cost (0 if it is proven), the number of cases
 * that are correct with it, and whether it corrects only a result and has errors. */
struct near_edit {
    unsigned edit, cost, right;
    bool has_errors;
};
/* An edit and its rank. Low ranks, for edits with a low cost near a finding, are tried first. */
struct ranked {
    struct edit *edit;
    unsigned rank;
};
/* A trial of a few edits. They are compiled like a graded submission. */
struct look {
    struct trial trial;
    struct trial_outcome before; /* without an edit */
};
/* The state of the search. */
struct search {
    struct judge *judge;
    const json_t *tests;
    struct grade_case failed;
    struct source source;
    struct edit_list edits, passed; /* passed: edits that add a parameter (fix/parameter.c) */
    struct trial trial;
    struct trial_outcome before;
    struct look *of_one, *of_all; /* the final checks; NULL if not started */
    struct helpful best[FOUND];
    unsigned found, tried, probe, looks; /* looks: number of checks in several variants */
    bool strict;                         /* the fix must remove a warning, because no wrong case can be tried */
    bool extended;                       /* the search has got more work once */
    bool shares;                         /* another kernel calls a function that x->kernel also calls */
    bool others_right;                   /* of_all has correct cases of other kernels */
    const char *kernel;
    uint64_t left[2];            /* warp-instructions left for each half */
    struct near_edit near[NEAR]; /* edits that improve some cases, the best first */
    unsigned nears;
    struct edit *own[MAX_OWN]; /* edits that may correct one of two mistakes, the useful ones first */
    unsigned owns;
    unsigned likeliest[LIKELIEST], likely; /* indices of the edits with the lowest ranks; their number */
    struct edit last, fixed;               /* last: the edit of a final check's last report; fixed: that of the fix */
};
/* Parses the case that a replay command names. Returns false if it names none. */
bool search_case_of(const struct judge *j, const char *replay, struct grade_case *c);
/* Begins the final checks, of_one and of_all. Returns false if out of memory. */
bool search_begin_looks(struct search *x);
/* Sorts the edits from index `from` on by their ranks for the outcome `now`. Leaves out edits that cannot correct it,
 * or that use terms that the lab has not taught. `order` needs room for all edits. Returns the number of sorted
 * edits. */
unsigned search_rank(struct search *x, unsigned from, const struct trial_outcome *now, struct ranked order[]);
/* Collects the edits that may correct one of several mistakes, and returns their number. The first *evident ones are
 * evident from the text. */
unsigned search_candidates(const struct search *x, struct edit *edit[MAX_CANDIDATES], unsigned *evident);
/* For a file with two mistakes, returns two edits that together correct all cases, as the record's fix, or NULL. If
 * `useful`, each edit must be useful alone or correct a frequent mistake. Otherwise, only one must. */
json_t *search_pairs(struct search *x, bool useful);
/* For a file with two mistakes, one of which edit `first` corrects. Returns two edits that together correct all cases,
 * as the record's fix, or NULL. `now` is the outcome of a trial of `first`. */
json_t *search_second(struct search *x, struct edit *first, const struct trial_outcome *now);
/* Checks edits again, as search_confirm() does. */
json_t *search_look_again(struct search *x, struct edit *e[], unsigned count);
/* For a file with several mistakes that no single edit corrects. Returns an edit that removes the most severe finding
 * or corrects many cases, or NULL. */
json_t *search_first_of_several(struct search *x);
/* Runs the fix on the failing cases that the search did not try. If one of them is still wrong, says so in
 * fix["remains"]. */
void search_note_remains(struct search *x, json_t *fix);
/* Returns the index of a wrong case that few wrong edits pass: the one with the most elements among those with at most
 * 1.5 times the least work. Returns UINT_MAX if no case of the kernel is wrong. */
unsigned search_first_wrong(const struct trial *t, const struct trial_outcome *o);
/* Returns the only kernel to compile, or NULL if a case launches several kernels. */
const char *search_alone(const struct search *x);
/* Checks the best edits again and removes them from x->best. Returns the record's fix, which the caller frees, or NULL
 * if no edit is a fix. */
json_t *search_confirm(struct search *x);
/* Returns whether the fix leaves cases wrong. */
bool fix_is_partial(const json_t *fix);
/* Returns the first fix, or the second if there is no first or if only the second corrects all cases. Frees the other
 * one. Either may be NULL. */
json_t *fix_better_of(json_t *fix, json_t *other);
enum { MEANING_SIZE = 600 };
/* Writes why the edit helps, for reports. Returns `out`. */
char *fix_meaning(const struct source *s, const struct edit *e, char out[MEANING_SIZE]);
/* Describes the edit and its outcome as the record's `fix` (fix.h). */
json_t *fix_record(const struct search *x, const struct trial *t, const struct edit *e,
                   const struct trial_outcome *before, const struct trial_outcome *now);

#endif
