/* Results of a run as members of a JSON object: for live.c and show.c. Each except tell_text() and tell_fault() begins
 * with a comma. */
#ifndef LIVE_TELL_H
#define LIVE_TELL_H

#include "probes/probes.h"
#include <stdio.h>

/* Anything but a plain character becomes a question mark, as in records. */
void tell_text(FILE *out, const char *key, const char *text);
void tell_fault(FILE *out, const char *why); /* the whole object */
void tell_counts(FILE *out, const struct measurement *m);
void tell_findings(FILE *out, const struct finding_list *list, unsigned taught);
/* `masks`: with the lanes of each warp that touched data, as in records of reports (judge/play.h), and what it
 * executed. */
void tell_steps(FILE *out, const struct steps *all, bool masks);

#endif
