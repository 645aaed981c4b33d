/* Leaves checks that the course hides out of reports for students (record/status.h, enum visibility). */
#ifndef REPORT_HIDDEN_H
#define REPORT_HIDDEN_H

#include "record/status.h"

/* Removes from the record what follows from checks that are less visible than `most` and lack points, except for those
 * tests themselves: what to do first, the suggested fix. */
void hidden_keep_quiet(json_t *record, enum visibility most);
/* The same, and removes these tests too. Returns how many. */
size_t hidden_remove(json_t *record, enum visibility most);

#endif
