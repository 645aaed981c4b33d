/* Writes results of a run as members of a JSON object, for live.c and show.c. Output begins with a comma, except
 * that of tell_text() and tell_fault(). */
#ifndef LIVE_TELL_H
#define LIVE_TELL_H

#include "probes/probes.h"
#include <stdio.h>

/* Every character that is not plain becomes a question mark, as in records. */
void tell_text(FILE *out, const char *key, const char *text);
void tell_fault(FILE *out, const char *why); /* the whole object */
void tell_counts(FILE *out, const struct measurement *m);
void tell_findings(FILE *out, const struct finding_list *list, unsigned taught);
/* `masks` adds the lanes of each warp that touched data, as in records of reports (judge/play.h), and its counts of
 * instructions. */
void tell_steps(FILE *out, const struct steps *all, bool masks);

#endif
