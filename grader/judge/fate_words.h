/* Describes a fate (fate.h) in words. */
#ifndef JUDGE_FATE_WORDS_H
#define JUDGE_FATE_WORDS_H

#include "judge/fate.h"

/* Statements about a fate in terms of the launch, such as "the last block's segment is missing"; the most informative
 * come first. They state only what was observed. They contain no indices or sizes, so that several wrong results can
 * have a statement in common. */
enum { FATE_STATEMENTS = 16, FATE_STATEMENT = 200 };
struct fate_statements {
    unsigned count;
    char text[FATE_STATEMENTS][FATE_STATEMENT];
};
/* Makes the statements about a fate. `launch` is that of fate_find(). */
void fate_state(const struct fate *f, const struct grade_case *c, unsigned launch, struct fate_statements *s);
/* Removes the statements that `other` lacks. */
void fate_common(struct fate_statements *s, const struct fate_statements *other);
/* Returns the number of elements that all blocks together take in a round of their loop, or 0 if each block has a
 * segment. A launch of several rounds shows mistakes that a launch of fewer elements hides. A launch of several
 * segments does not: a second launch reduces the partials, and a mistake there hides what happened in the first. */
uint32_t fate_unit(const struct grade_case *c);
/* Prints the fate of the elements, such as "in[6..7] are missing; in[5] is counted twice", or "" if it is unknown.
 * Returns `out`. */
char *fate_print(const struct fate *f, const struct grade_case *c, char *out, size_t size);

#endif
