/* A student's earlier runs of a lab, beside the present one. */
#ifndef COURSE_HISTORY_H
#define COURSE_HISTORY_H

#include <jansson.h>
#include <stdbool.h>

/* Appends the run of this record (schema reduction-labs/result/2) to the last 100 in folder/LAB.json, which is made if
 * it is not there, and sets record["history"] to all of them, the present one last. A file that cannot be read or
 * written costs the history and nothing else. */
void history_add(json_t *record, const char *folder);

/* How often --hint was asked for on the text that the record holds (once more now, if `asks`): one count in
 * folder/LAB.hint, which begins at 0 for every other text. Sets record["hints_asked"] to all that were ever asked for.
 */
unsigned history_hints(json_t *record, const char *folder, bool asks);

/* How many grades of the lab there were, of which no run is kept too: a number in folder/LAB.grades; `one_more` counts
 * this one. */
unsigned history_grades(const char *lab, const char *folder, bool one_more);

#endif
