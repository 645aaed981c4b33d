/* A student's earlier runs of a lab, for comparison with the current one. */
#ifndef COURSE_HISTORY_H
#define COURSE_HISTORY_H

#include <jansson.h>
#include <stdbool.h>

/* Appends the run of this record (schema reduction-labs/result/2) to the last 100 in folder/LAB.json, which is created
 * if missing, and sets record["history"] to all of them, the current one last. If the file cannot be read or written,
 * only the history is lost. */
void history_add(json_t *record, const char *folder);

/* How often --hint was requested for the text in the record, counting this request if `asks`. The counter in
 * folder/LAB.hint restarts at 0 when the text changes. Sets record["hints_asked"] to the total over all texts. */
unsigned history_hints(json_t *record, const char *folder, bool asks);

/* The number of grades of the lab, including those whose run is no longer kept. It is a counter in
 * folder/LAB.grades, which `one_more` increments. */
unsigned history_grades(const char *lab, const char *folder, bool one_more);

#endif
