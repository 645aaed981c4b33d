/* Describes a fate in words. See fate.h. */
#ifndef JUDGE_FATE_WORDS_H
#define JUDGE_FATE_WORDS_H

#include "judge/fate.h"

/* Statements about a fate, in terms of the launch ("the last block's segment is missing"), the most informative ones
 * first. They state what was observed, not why. Statements contain no numbers, so that several wrong results can have
 * a statement in common. */
enum { FATE_STATEMENTS = 16, FATE_STATEMENT = 200 };
struct fate_statements {
    unsigned count;
    char text[FATE_STATEMENTS][FATE_STATEMENT];
};
/* Makes the statements about a fate. launch: as for fate_find(). */
void fate_state(const struct fate *f, const struct grade_case *c, unsigned launch, struct fate_statements *s);
/* Keeps only the statements that `other` also has. */
void fate_common(struct fate_statements *s, const struct fate_statements *other);
/* Returns the number of elements of a round of a loop of all blocks, or 0 if each block owns a segment. Launches of
 * several rounds show what a launch of fewer elements hides. Launches of several segments reduce their partials again,
 * and a mistake in that launch hides the statement about the first one. */
uint32_t fate_unit(const struct grade_case *c);
/* Prints the fate element by element: "in[6..7] are missing; in[5] is counted twice", or "" if nothing is known.
 * Returns out. */
char *fate_print(const struct fate *f, const struct grade_case *c, char *out, size_t size);

#endif
