/* Describes a fate (fate.h) in words. */
#ifndef JUDGE_FATE_WORDS_H
#define JUDGE_FATE_WORDS_H

#include "judge/fate.h"

/* Statements about a fate in terms of the launch, such as "the last block's segment is missing", the most informative
 * ones first. They state only what was observed. They contain no indices or sizes of the launch, so that several wrong
 * results can have a statement in common. */
enum { FATE_STATEMENTS = 16, FATE_STATEMENT = 200 };
struct fate_statements {
    unsigned count;
    char text[FATE_STATEMENTS][FATE_STATEMENT];
};
/* Makes the statements about a fate. `launch` is the same as for fate_find(). */
void fate_state(const struct fate *f, const struct grade_case *c, unsigned launch, struct fate_statements *s);
/* Removes the statements that `other` does not contain. */
void fate_common(struct fate_statements *s, const struct fate_statements *other);
/* Returns how many elements all blocks together take in a round of their loop, or 0 if each block owns a segment. A
 * launch of several rounds shows mistakes that a launch of fewer elements hides. A launch of several segments does not,
 * because a second launch reduces the partials, and a mistake in that launch hides what happened in the first one. */
uint32_t fate_unit(const struct grade_case *c);
/* Prints the fate of the elements, such as "in[6..7] are missing; in[5] is counted twice", or "" if nothing is known.
 * Returns `out`. */
char *fate_print(const struct fate *f, const struct grade_case *c, char *out, size_t size);

#endif
