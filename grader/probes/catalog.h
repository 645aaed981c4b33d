/* Kinds of findings and figures, with their texts. A probe's row points to the arrays with its kinds and its figures.
 * Reports include no other header of probes/, so this one does not depend on the simulator. */
#ifndef PROBES_CATALOG_H
#define PROBES_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- findings ---------------------------------------------------------------------------------------------- */

/* An error may make the result wrong, and costs points. Warnings and notes cost none. A warning reports code that is
 * formally wrong but harmless in this run. A note is only information. */
enum finding_severity { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE };
const char *finding_severity_word(enum finding_severity s); /* "error", "warning", "note" */

/* How a page draws a finding. DRAW_LANES: the lanes involved. DRAW_ACCESSES: two accesses, and the missing
 * synchronization between them. DRAW_BARRIER: a warp's lanes that reach a barrier, and those that do not. */
enum finding_drawing { DRAW_LANES, DRAW_ACCESSES, DRAW_BARRIER };
struct finding_words {
    const char *title;
    /* The paragraph of --explain: why the code is wrong, what the hardware does, how to fix it. */
    const char *explanation;
    const char *between; /* DRAW_ACCESSES: label between the two accesses; NULL: "nothing orders these" */
};
struct finding_kind {
    const char *key;                           /* must never change: tests, records and web searches use it */
    const char *title, *explanation, *between; /* as in struct finding_words */
    /* Replaces the texts if they have a term that the lab has not taught (record/terms.h). A NULL member keeps the
     * original. */
    struct finding_words plain;
    /* Position in a report: findings that may explain others have a lower rank. */
    int rank;
    enum finding_severity severity;
    enum finding_drawing drawing;
    bool is_race;
    bool error_if_shown;  /* try other orders of execution (judge/witness.c). If one changes the result, a warning
                             becomes an error */
    bool yields_to_races; /* omit the finding if a race at the same location explains it */
    bool runs_out;        /* the launch exceeded its budget of instructions and was stopped */
};
/* Returns the kind with this key, or NULL. */
const struct finding_kind *catalog_finding(const char *key);
/* Returns the kind's texts for a lab that has taught the terms up to `taught`. */
struct finding_words catalog_words(const struct finding_kind *kind, unsigned taught);
/* Returns the kind at position `k`, from 0 in the order of ranks, or NULL after the last one. */
const struct finding_kind *catalog_finding_at(unsigned k);
/* Writes docs/findings.md: all kinds by rank, each with its paragraph. */
void catalog_document(FILE *out);

/* ---- figures ----------------------------------------------------------------------------------------------- */

enum figure_unit {
    FIGURE_COUNT, /* an integer */
    FIGURE_SHARE, /* 0 to 1, shown as a percentage */
    FIGURE_RATIO, /* a real number */
};
enum figure_better { BETTER_NEITHER, BETTER_LESS, BETTER_MORE };
/* A number in the record's `counts`. Figures of several probes with the same key are added; the first one decides
 * labels and order. */
struct figure {
    const char *key;     /* in the record */
    const char *label;   /* in lists of all figures (--diff-solution, the page); NULL: not listed */
    const char *summary; /* in the report's short table of counts; NULL: not listed */
    enum figure_unit unit;
    enum figure_better better;
    int place; /* position in the record, from 1; 0: last */
    int row;   /* position in tables, from 1; 0: only on the page, after all others */
    /* The value's source in the probe's result: for FIGURE_COUNT, the uint64_t at `offset`; otherwise, `value`. */
    size_t offset;
    double (*value)(const void *result);
    bool rare; /* the page omits the figure if it is 0 in each column */
};
/* Returns whether the lab has taught all terms in the figure's label and summary. */
bool figure_is_known(const struct figure *f, unsigned taught);
enum catalog_order { CATALOG_RECORD, CATALOG_TABLES };
enum { CATALOG_MAX = 64 };
/* Gets all figures in the given order, each key once. Returns their number, at most CATALOG_MAX. */
unsigned catalog_figures(enum catalog_order order, const struct figure *figures[CATALOG_MAX]);

#endif
