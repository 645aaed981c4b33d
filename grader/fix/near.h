/* How near a line is to what was found: by lines, and by what the values there are made of. */
#ifndef FIX_NEAR_H
#define FIX_NEAR_H

#include "fix/source.h"
#include "judge/judge.h"

/* 0: within two lines of a finding; 1: a name that is in a finding's statement is set there; 2: one that such a
 * line names; FAR: neither. Without findings all is FAR. */
enum { NEARNESS_FAR = 3 };
struct nearness {
    unsigned char *of_line; /* from 1 */
    uint32_t lines;
};
void nearness_begin(struct nearness *n, const struct source *s, const struct finding_list *findings);
unsigned nearness_of(const struct nearness *n, uint32_t line);
void nearness_end(struct nearness *n);

#endif
