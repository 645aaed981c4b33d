/* Removes checks that the course hides (record/status.h, enum visibility) from reports for students. */
#ifndef REPORT_HIDDEN_H
#define REPORT_HIDDEN_H

#include "record/status.h"

/* Removes the advice on what to do first and the suggested fix if they follow from checks that are less visible than
 * `most` and lack points. Keeps these checks themselves. */
void hidden_keep_quiet(json_t *record, enum visibility most);
/* Like hidden_keep_quiet(), and also removes these checks. Returns how many it removed. */
size_t hidden_remove(json_t *record, enum visibility most);

#endif
