/* What a compiler prints, in the student's words: its files and lines as they know them, their own line where the
 * preprocessor's stands, nothing of the unit that the file is compiled in; and a sentence of ours behind the commonest
 * (diagnostics.def). */
#ifndef JUDGE_DIAGNOSTICS_H
#define JUDGE_DIAGNOSTICS_H

#include <jansson.h>

/* How the submission was compiled, and what messages call it. */
struct diagnosed {
    const char *folder;            /* that reduce.cu, operator.h and unit.cu were compiled in */
    const char *root;              /* the kit's; not shown */
    const char *shown, *own_shown; /* names of the submission and of an own operator's file; own_shown may be NULL */
    const char *source;            /* the submission's text */
};
/* Of a run that failed: what it printed, of its own and the student's files. free() it. */
char *diagnostics_errors(const char *output, const struct diagnosed *d);
/* Of one that did not: the warnings at lines of the submission, "LINE: MESSAGE\n" each, one for each line and kind of
 * warning, however often the file was compiled; at most 20. "" for none. free() it. */
char *diagnostics_warnings(const char *output, const struct diagnosed *d);
/* Such warnings as the record has them: {line, message, code, note}, where `code` is that line of `source` and `note`
 * our sentence, if there is one. NULL or "" give an empty array. */
json_t *diagnostics_json(const char *warnings, const char *source);
/* The errors and warnings of what diagnostics_errors() gave, each {file, line, column, severity, message, note}: where
 * the compiler says no line, the submission's last; column 0: it says none; `note` is our sentence, if there is one.
 * Never empty: of a text without any message its first line stands for all. */
json_t *diagnostics_places(const char *shown_errors, const char *shown, const char *source);

#endif
