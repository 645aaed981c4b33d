/* A student's earlier runs of a lab, for comparison with the current run. */
#ifndef COURSE_HISTORY_H
#define COURSE_HISTORY_H

#include <jansson.h>
#include <stdbool.h>

/* Appends the run of a record (schema reduction-labs/result/3) to folder/LAB.json, which keeps the last 100 runs,
 * and sets record["history"] to all of them, ending with this run. Creates the file if it is missing. If the file
 * cannot be read, the history contains only this run. If it cannot be written, this run is not kept. */
void history_add(json_t *record, const char *folder);

/* Returns how many times --hint was requested for the text in the record, including the `more` requests of this run,
 * but at most 3. The counter restarts when the text changes. It is stored in folder/LAB.hint or, if `submission` is not
 * NULL, in a separate file for that path. Sets record["hints_asked"] to the total over all versions of the file unless
 * it is 0. */
unsigned history_hints(json_t *record, const char *folder, const char *submission, unsigned more);

/* Returns how many times the lab was graded, including grades that the history does not contain. The number is stored
 * in folder/LAB.grades. `one_more` increments it first. */
unsigned history_grades(const char *lab, const char *folder, bool one_more);

#endif
