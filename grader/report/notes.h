/* Converts a record to notes, which editors and CI servers show next to a line: one for each finding, message of the
 * compiler, check that failed without a finding, and tested fix. Line-based formats print these notes. */
#ifndef REPORT_NOTES_H
#define REPORT_NOTES_H

#include <jansson.h>

/* Returns the notes of one record, which must be a safe copy (page_safe_copy()). Each note is
 *
 *   {file, line, column, severity, rule, title, message, key}
 *
 *   line, column  counted from 1
 *   severity      "error", "warning" or "note"
 *   rule          the kind of finding, the id of the check, "compiler" or "fix"
 *   title         what the rule is about, the same for all its notes
 *   message       one line
 *   key           identifies the note in later grades, even if its line moves
 *
 * The array is empty if the setup was at fault. */
json_t *notes_of(const json_t *record);

enum note_severity { NOTE_ERROR, NOTE_WARNING, NOTE_NOTE, NOTE_SEVERITIES };
enum note_severity note_severity_of(const json_t *note); /* NOTE_ERROR if it is missing or unknown */

#endif
