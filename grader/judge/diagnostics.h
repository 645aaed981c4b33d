/* Rewrites a compiler's messages for the student. They name the student's files and lines as written, and nothing of
 * the generated translation unit. The most common ones get an explanation (diagnostics.def). */
#ifndef JUDGE_DIAGNOSTICS_H
#define JUDGE_DIAGNOSTICS_H

#include <jansson.h>

/* How the submission was compiled, and its name in messages. */
struct diagnosed {
    const char *folder;            /* the folder with reduce.cu, operator.h and unit.cu */
    const char *root;              /* the kit's folder; not shown */
    const char *shown, *own_shown; /* names of the submission and of an own operator's file; own_shown may be NULL */
    const char *source;            /* the submission's text */
};
/* For a run that failed: its messages about the student's files, and those without a file. free() it. */
char *diagnostics_errors(const char *output, const struct diagnosed *d);
/* For a successful run: the warnings at lines of the submission, as "LINE: MESSAGE
 * " each, one per line and kind of warning, however often the file was compiled; at most 20. "" for none. free() it. */
char *diagnostics_warnings(const char *output, const struct diagnosed *d);
/* These warnings for the record: {line, message, code, note}. `code` is the line of `source`, `note` is our
 * explanation, if there is one. NULL or "" gives an empty array. */
json_t *diagnostics_json(const char *warnings, const char *source);
/* The errors and warnings in the result of diagnostics_errors(), each {file, line, column, severity, message, note}. A
 * message without a line gets the submission's last line; column 0: none; `note` is our explanation, if there is one.
 * The array is never empty: if the text has no message, its first line becomes one. */
json_t *diagnostics_places(const char *shown_errors, const char *shown, const char *source);

#endif
