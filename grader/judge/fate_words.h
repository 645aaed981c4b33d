/* Describes a fate in words. See fate.h. */
#ifndef JUDGE_FATE_WORDS_H
#define JUDGE_FATE_WORDS_H

#include "judge/fate.h"

/* Statements about a fate, in terms of the launch ("the last block's segment is missing"), without numbers: what
 * several wrong results have in common is their cause. The most informative ones first. */
enum { FATE_STATEMENTS = 16, FATE_STATEMENT = 200 };
struct fate_statements {
    unsigned count;
    char text[FATE_STATEMENTS][FATE_STATEMENT];
};
/* launch: as for fate_find(). */
void fate_state(const struct fate *f, const struct grade_case *c, unsigned launch, struct fate_statements *s);
/* Keeps those that the other one also has. */
void fate_common(struct fate_statements *s, const struct fate_statements *other);
/* The same element by element: "in[6..7] are missing; in[5] is counted twice". "" if nothing is known. Returns out. */
char *fate_print(const struct fate *f, const struct grade_case *c, char *out, size_t size);

#endif
