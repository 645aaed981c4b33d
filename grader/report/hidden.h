/* Removes checks that the course hides from reports for students (record/status.h, enum visibility). */
#ifndef REPORT_HIDDEN_H
#define REPORT_HIDDEN_H

#include "record/status.h"

/* Removes what to do first and the suggested fix from the record if they follow from checks that are less visible
 * than `most` and lack points. Keeps these tests themselves. */
void hidden_keep_quiet(json_t *record, enum visibility most);
/* Does the same, and also removes these tests. Returns how many were removed. */
size_t hidden_remove(json_t *record, enum visibility most);

#endif
