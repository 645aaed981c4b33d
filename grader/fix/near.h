/* How far a line is from the findings, in lines or in steps of data flow. */
#ifndef FIX_NEAR_H
#define FIX_NEAR_H

#include "fix/source.h"
#include "judge/judge.h"

/* The distances. 0: within two lines of a finding. 1: sets a name, or declares an array, that a finding's line or an
 * enclosing condition uses. 2: does so for a line at distance 1. NEARNESS_FAR: other lines, and all lines if there are
 * no findings. */
enum { NEARNESS_FAR = 3 };
struct nearness {
    unsigned char *of_line; /* indexed by line number, from 1 */
    uint32_t lines;
};
void nearness_begin(struct nearness *n, const struct source *s, const struct finding_list *findings);
unsigned nearness_of(const struct nearness *n, uint32_t line);
void nearness_end(struct nearness *n);

#endif
