/* Writes results of a run as members of a JSON object, for live.c and show.c. Except for put_text() and put_fault(),
 * the output begins with a comma. */
#ifndef LIVE_PUT_H
#define LIVE_PUT_H

#include "probes/probes.h"
#include <stdio.h>

/* Writes a string. Every byte other than printable ASCII and \n becomes a question mark. */
void put_text(FILE *out, const char *key, const char *text);
/* Writes a whole object. */
void put_fault(FILE *out, const char *why);
void put_counts(FILE *out, const struct measurement *m);
void put_findings(FILE *out, const struct finding_list *list, unsigned taught);
/* Writes the steps. If `masks` is set, adds for each warp whether it took part and diverged, the lanes that touched
 * data, and the numbers of instructions. */
void put_steps(FILE *out, const struct steps *all, bool masks);

#endif
