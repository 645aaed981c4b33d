/* What editors and CI servers show beside a line: a record as notes, one a finding, an error of the compiler or a check
 * that failed. Formats that are read by line are made of them. */
#ifndef REPORT_NOTES_H
#define REPORT_NOTES_H

#include <jansson.h>

/* The notes of one record, which is a safe copy (page_safe_copy), in the order of the page for a terminal, each
 *
 *   {file, line, column, severity, rule, title, message, key}
 *
 * line and column count from 1; severity: "error", "warning" or "note"; rule: the kind of finding, the id of the check,
 * "compiler" or "fix"; title: what the rule is about, alike for all notes of it; message: one line; key: the same for
 * the same note of a later grade, wherever its line has moved. None where the set-up was at fault. */
json_t *notes_of(const json_t *record);

enum note_severity { NOTE_ERROR, NOTE_WARNING, NOTE_NOTE, NOTE_SEVERITIES };
enum note_severity note_severity_of(const json_t *note);

#endif
