/* Removes checks that the course hides (record/status.h, enum visibility) from reports for students. */
#ifndef REPORT_HIDDEN_H
#define REPORT_HIDDEN_H

#include "record/status.h"

/* If a check that is less visible than `most` has not passed, removes the advice on what to do first and the suggested
 * fix, because these may reveal the check. Keeps the check itself. */
void hidden_remove_advice(json_t *record, enum visibility most);
/* Does the same as hidden_remove_advice(), and removes all checks that are less visible than `most`. Returns their
 * number. */
size_t hidden_remove(json_t *record, enum visibility most);

#endif
