/* Rewrites a compiler's messages for the student. The new messages name the student's files and lines as written
 * instead of those of the generated translation unit, and the most common ones have an explanation
 * (diagnostics.def). */
#ifndef COMPILE_DIAGNOSTICS_H
#define COMPILE_DIAGNOSTICS_H

#include <jansson.h>

/* Paths and names to replace in messages, with the names to show instead. */
struct diagnosed {
    const char *folder; /* folder in which reduce.cu, operator.h and unit.cu were compiled */
    const char *root;   /* the kit's folder, which is removed from messages */
    const char *shown,
        *own_shown;     /* names to show for the submission and for the own operator's file; own_shown may be NULL */
    const char *source; /* the submission's text */
};
/* Returns the messages of a failed run, without lines about the generated translation unit; free() them. */
char *diagnostics_errors(const char *output, const struct diagnosed *d);
/* Returns the warnings of a successful run about lines of the submission, as "LINE: MESSAGE\n" each, or "" for none;
 * free() them. There are at most 20, and one for each line and kind of warning, even if the file was compiled several
 * times. */
char *diagnostics_warnings(const char *output, const struct diagnosed *d);
/* Converts the result of diagnostics_warnings() to an array of {line, message, code, note}. `code` is the line of
 * `source`; `note` is our explanation, if there is one. For NULL or "", the array is empty. */
json_t *diagnostics_json(const char *warnings, const char *source);
/* Converts the result of diagnostics_errors() to an array of {file, line, column, severity, message, note}. A message
 * without a line gets the last line of the submission; a message without a column gets column 0. `note` is our
 * explanation, if there is one. The array is never empty: if no message is recognized, the first line of the text
 * becomes one. */
json_t *diagnostics_places(const char *shown_errors, const char *shown, const char *source);
/* Returns the first of these messages that is not a warning, or NULL. */
const json_t *diagnostics_first_error(const json_t *places);

#endif
