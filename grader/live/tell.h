/* Writes results of a run as members of a JSON object, for live.c and show.c. The output begins with a comma, except
 * that of tell_text() and tell_fault(). */
#ifndef LIVE_TELL_H
#define LIVE_TELL_H

#include "probes/probes.h"
#include <stdio.h>

/* Writes a string. Every character that is not printable ASCII becomes a question mark, as in records. */
void tell_text(FILE *out, const char *key, const char *text);
/* Writes a whole object. */
void tell_fault(FILE *out, const char *why);
void tell_counts(FILE *out, const struct measurement *m);
void tell_findings(FILE *out, const struct finding_list *list, unsigned taught);
/* Writes the steps. If `masks` is set, adds for each warp the lanes that touched data (judge/play.h) and the numbers of
 * instructions. */
void tell_steps(FILE *out, const struct steps *all, bool masks);

#endif
