/* The distance of a line from the findings: by lines, and by data flow. */
#ifndef FIX_NEAR_H
#define FIX_NEAR_H

#include "fix/source.h"
#include "judge/judge.h"

/* 0: within two lines of a finding; 1: sets a name used in a finding's statement; 2: sets a name used in such a line;
 * FAR: neither. Without findings everything is FAR. */
enum { NEARNESS_FAR = 3 };
struct nearness {
    unsigned char *of_line; /* from 1 */
    uint32_t lines;
};
void nearness_begin(struct nearness *n, const struct source *s, const struct finding_list *findings);
unsigned nearness_of(const struct nearness *n, uint32_t line);
void nearness_end(struct nearness *n);

#endif
