/* Writes results of a run as members of a JSON object, for live.c and show.c. Except for put_text() and put_fault(),
 * the output begins with a comma. */
#ifndef LIVE_PUT_H
#define LIVE_PUT_H

#include "probes/probes.h"
#include <stdio.h>

/* Writes a string. Every character that is not printable ASCII becomes a question mark, as in records. */
void put_text(FILE *out, const char *key, const char *text);
/* Writes a whole object. */
void put_fault(FILE *out, const char *why);
void put_counts(FILE *out, const struct measurement *m);
void put_findings(FILE *out, const struct finding_list *list, unsigned taught);
/* Writes the steps. If `masks` is set, adds for each warp the lanes that touched data (judge/play.h) and the numbers of
 * instructions. */
void put_steps(FILE *out, const struct steps *all, bool masks);

#endif
