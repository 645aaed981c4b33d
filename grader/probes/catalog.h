/* What probes have to say, in words: kinds of findings and figures. Each is in its probe's file, in the arrays that
 * the probe's row names; reports find them here. Nothing of a simulator is in this header: the reports, which know the
 * record alone, include it and nothing else of probes/. */
#ifndef PROBES_CATALOG_H
#define PROBES_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- findings ---------------------------------------------------------------------------------------------- */

/* An error may make the result wrong, and costs points. A warning and a note cost none: what a warning tells is wrong
 * by the letter and harmless in this run; a note is for the reader. */
enum finding_severity { FINDING_ERROR, FINDING_WARNING, FINDING_NOTE };
const char *finding_severity_word(enum finding_severity s); /* "error", "warning", "note" */

/* What the page draws of a finding: the lanes that were there; two accesses and what is missing between them; the lanes
 * of a warp that come to a barrier and those that do not. */
enum finding_drawing { DRAW_LANES, DRAW_ACCESSES, DRAW_BARRIER };
struct finding_words {
    const char *title;
    const char *explanation; /* the paragraph of --explain: why it is wrong, what the hardware does, how to think of
                                it */
    const char *between;     /* DRAW_ACCESSES: what the page writes between the two; NULL: "nothing orders these" */
};
struct finding_kind {
    const char *key; /* what tests, records and students' search engines see; never rename one */
    const char *title, *explanation, *between; /* as in finding_words */
    struct finding_words plain; /* where these have a term that is not taught yet (record/terms.h); NULL: none has */
    int rank;                   /* how much it explains: the lowest comes first in a report */
    enum finding_severity severity;
    enum finding_drawing drawing;
    bool is_race;
    bool error_if_shown;  /* a warning, unless some order of execution changes the result (judge/witness.c) */
    bool yields_to_races; /* not told where a race at the same place explains it */
    bool runs_out;        /* the launch was stopped because it used up its budget of instructions */
};
/* The kind of that key, or NULL. */
const struct finding_kind *catalog_finding(const char *key);
/* Its words for a lab that has taught the terms up to `taught`. */
struct finding_words catalog_words(const struct finding_kind *kind, unsigned taught);
/* All kinds by rank: k from 0; NULL after the last. */
const struct finding_kind *catalog_finding_at(unsigned k);
/* docs/findings.md: all kinds by rank, each with its paragraph. */
void catalog_document(FILE *out);

/* ---- figures ----------------------------------------------------------------------------------------------- */

enum figure_unit {
    FIGURE_COUNT, /* a whole number */
    FIGURE_SHARE, /* 0 to 1, shown as a percentage */
    FIGURE_RATIO, /* a real number */
};
enum figure_better { BETTER_NEITHER, BETTER_LESS, BETTER_MORE };
/* A number of the record's `counts`. Figures of one key that several probes have are added up; the first says the
 * rest. */
struct figure {
    const char *key;     /* in the record */
    const char *label;   /* where all figures are shown: --diff-solution, the page; NULL: nowhere */
    const char *summary; /* in the report's short table of counts; NULL: not there */
    enum figure_unit unit;
    enum figure_better better;
    int place; /* in the record, from 1; 0: behind those that have one */
    int row;   /* in tables, from 1; 0: only on the page, behind those that have one */
    /* What it is of the probe's result: FIGURE_COUNT: the uint64_t at `offset`; else `value` of it. */
    size_t offset;
    double (*value)(const void *result);
};
/* Are the terms of its label and summary taught? */
bool figure_is_known(const struct figure *f, unsigned taught);
enum catalog_order { CATALOG_RECORD, CATALOG_TABLES };
enum { CATALOG_MOST = 64 };
/* All figures, each key once, in that order; at most CATALOG_MOST. Returns how many. */
unsigned catalog_figures(enum catalog_order order, const struct figure *figures[CATALOG_MOST]);

#endif
