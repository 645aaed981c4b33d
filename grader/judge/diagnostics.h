/* Rewrites a compiler's messages for the student. Rewritten messages name the student's files and lines as written, not
 * those of the generated translation unit. The most common ones get an explanation (diagnostics.def). */
#ifndef JUDGE_DIAGNOSTICS_H
#define JUDGE_DIAGNOSTICS_H

#include <jansson.h>

/* How the submission was compiled, and its name in messages. */
struct diagnosed {
    const char *folder; /* folder that contains reduce.cu, operator.h and unit.cu */
    const char *root;   /* the kit's folder, which messages do not show */
    const char *shown,
        *own_shown;     /* names of the submission and of the file of an own operator; own_shown may be NULL */
    const char *source; /* the submission's text */
};
/* Returns the messages of a failed run about the student's files, and those without a file; free() them. */
char *diagnostics_errors(const char *output, const struct diagnosed *d);
/* Returns the warnings of a successful run at lines of the submission, as "LINE: MESSAGE\n" each; free() them. There
 * are at most 20, one per line and kind of warning, however often the file was compiled; "" for none. */
char *diagnostics_warnings(const char *output, const struct diagnosed *d);
/* Converts these warnings for the record: {line, message, code, note}. `code` is the line of `source`; `note` is our
 * explanation, if there is one. NULL or "" gives an empty array. */
json_t *diagnostics_json(const char *warnings, const char *source);
/* Converts the result of diagnostics_errors() to an array of {file, line, column, severity, message, note}. A message
 * without a line gets the last line of the submission. A column of 0 means none. `note` is our explanation, if there is
 * one. The array is never empty: if the text has no message, its first line becomes one. */
json_t *diagnostics_places(const char *shown_errors, const char *shown, const char *source);

#endif
