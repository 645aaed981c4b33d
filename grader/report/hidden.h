/* What a report for students leaves out: checks that the course hides (record/status.h, enum visibility). */
#ifndef REPORT_HIDDEN_H
#define REPORT_HIDDEN_H

#include "record/status.h"

/* Takes out of the record what it says beside the tests of a check that is less visible than `most` and has not all
 * points: what to do first, the edit that helps. */
void hidden_keep_quiet(json_t *record, enum visibility most);
/* The same, and those tests themselves. Gives how many. */
size_t hidden_remove(json_t *record, enum visibility most);

#endif
