/* A compiler's messages in the student's terms: the student's files and lines as written, and nothing of the
 * generated translation unit; with our explanation for the most common ones (diagnostics.def). */
#ifndef JUDGE_DIAGNOSTICS_H
#define JUDGE_DIAGNOSTICS_H

#include <jansson.h>

/* How the submission was compiled, and its name in messages. */
struct diagnosed {
    const char *folder;            /* with reduce.cu, operator.h and unit.cu */
    const char *root;              /* the kit's; not shown */
    const char *shown, *own_shown; /* names of the submission and of an own operator's file; own_shown may be NULL */
    const char *source;            /* the submission's text */
};
/* For a run that failed: its messages about its own and the student's files. free() it. */
char *diagnostics_errors(const char *output, const struct diagnosed *d);
/* For a successful run: the warnings at lines of the submission, "LINE: MESSAGE
 * " each, one per line and kind of warning, however often the file was compiled; at most 20. "" for none. free() it. */
char *diagnostics_warnings(const char *output, const struct diagnosed *d);
/* Such warnings for the record: {line, message, code, note}, where `code` is that line of `source` and `note` our
 * explanation, if there is one. NULL or "" give an empty array. */
json_t *diagnostics_json(const char *warnings, const char *source);
/* The errors and warnings in the result of diagnostics_errors(), each {file, line, column, severity, message, note}:
 * without a line, the submission's last; column 0: none; `note` is our explanation, if there is one. Never empty: for a
 * text without any message, its first line is used. */
json_t *diagnostics_places(const char *shown_errors, const char *shown, const char *source);

#endif
