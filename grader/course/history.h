/* A student's earlier runs of a lab, for comparison with the current run. */
#ifndef COURSE_HISTORY_H
#define COURSE_HISTORY_H

#include <jansson.h>
#include <stdbool.h>

/* Appends the run of a record (schema reduction-labs/result/2) to folder/LAB.json, which keeps the last 100 runs,
 * and sets record["history"] to all of them, ending with this run. Creates the file if it is missing. If the file
 * cannot be read or written, the record has no history. */
void history_add(json_t *record, const char *folder);

/* Returns how many times --hint was requested for the text in the record, including the `more` requests of this run.
 * The counter in folder/LAB.hint, or that of the file `submission` if it is not NULL, restarts when the text changes.
 * Sets record["hints_asked"] to the total over all versions of the file. */
unsigned history_hints(json_t *record, const char *folder, const char *submission, unsigned more);

/* Returns how many times the lab was graded, including runs that were dropped from the history. The number is stored in
 * folder/LAB.grades. `one_more` increments it. */
unsigned history_grades(const char *lab, const char *folder, bool one_more);

#endif
