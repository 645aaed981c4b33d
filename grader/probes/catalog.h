/* The texts of probes: kinds of findings and figures. Each is defined in its probe's file, in the arrays that the
 * probe's row names; reports find them here. This header does not depend on the simulator: it is the only one of
 * probes/ that the reports include, since they work on the record alone. */
#ifndef PROBES_CATALOG_H
#define PROBES_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- findings ---------------------------------------------------------------------------------------------- */

/* An error may make the result wrong, and costs points. Warnings and notes cost none: a warning reports code that is
 * formally wrong but harmless in this run; a note is information for the reader. */
enum finding_severity { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE };
const char *finding_severity_word(enum finding_severity s); /* "error", "warning", "note" */

/* What the page draws for a finding: the lanes involved; two accesses and what is missing between them; the lanes of a
 * warp that reach a barrier and those that do not. */
enum finding_drawing { DRAW_LANES, DRAW_ACCESSES, DRAW_BARRIER };
struct finding_words {
    const char *title;
    const char *explanation; /* the paragraph of --explain: why it is wrong, what the hardware does, how to think about
                                it */
    const char *between;     /* DRAW_ACCESSES: the page's label between the two; NULL: "nothing orders these" */
};
struct finding_kind {
    const char *key;                           /* used in tests, records and students' web searches; never rename one */
    const char *title, *explanation, *between; /* as in finding_words */
    struct finding_words plain; /* used while the lab has not taught a term in these (record/terms.h); NULL: none
                                   needed */
    int rank;                   /* by how much it explains: the lowest rank comes first in a report */
    enum finding_severity severity;
    enum finding_drawing drawing;
    bool is_race;
    bool error_if_shown;  /* a warning, unless some order of execution changes the result (judge/witness.c) */
    bool yields_to_races; /* not reported if a race at the same place explains it */
    bool runs_out;        /* the launch was stopped because it exceeded its instruction budget */
};
/* The kind of that key, or NULL. */
const struct finding_kind *catalog_finding(const char *key);
/* Its texts for a lab that has taught the terms up to `taught`. */
struct finding_words catalog_words(const struct finding_kind *kind, unsigned taught);
/* All kinds by rank: k from 0; NULL after the last. */
const struct finding_kind *catalog_finding_at(unsigned k);
/* docs/findings.md: all kinds by rank, each with its paragraph. */
void catalog_document(FILE *out);

/* ---- figures ----------------------------------------------------------------------------------------------- */

enum figure_unit {
    FIGURE_COUNT, /* an integer */
    FIGURE_SHARE, /* 0 to 1, shown as a percentage */
    FIGURE_RATIO, /* a real number */
};
enum figure_better { BETTER_NEITHER, BETTER_LESS, BETTER_MORE };
/* A number in the record's `counts`. Figures with the same key in several probes are added up; the first one defines
 * the other members. */
struct figure {
    const char *key;     /* in the record */
    const char *label;   /* in lists of all figures: --diff-solution, the page; NULL: not listed */
    const char *summary; /* in the report's short table of counts; NULL: not in it */
    enum figure_unit unit;
    enum figure_better better;
    int place; /* in the record, from 1; 0: after those that have one */
    int row;   /* in tables, from 1; 0: only on the page, after those that have one */
    /* The value in the probe's result: FIGURE_COUNT: the uint64_t at `offset`; otherwise the function `value`. */
    size_t offset;
    double (*value)(const void *result);
    bool rare; /* the page leaves it out where every column has 0 */
};
/* Whether the terms in its label and summary have been taught. */
bool figure_is_known(const struct figure *f, unsigned taught);
enum catalog_order { CATALOG_RECORD, CATALOG_TABLES };
enum { CATALOG_MOST = 64 };
/* All figures, each key once, in that order; at most CATALOG_MOST. Returns their number. */
unsigned catalog_figures(enum catalog_order order, const struct figure *figures[CATALOG_MOST]);

#endif
