/* A student's earlier runs of a lab, beside the present one. */
#ifndef COURSE_HISTORY_H
#define COURSE_HISTORY_H

#include <jansson.h>

/* Appends the run of this record (schema reduction-labs/result/1) to the last 100 in folder/LAB.json, which is made if
 * it is not there, and sets record["history"] to all of them, the present one last. A file that cannot be read or
 * written costs the history and nothing else. */
void history_add(json_t *record, const char *folder);

#endif
