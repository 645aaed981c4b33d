/* Fixes that were tried. For a submission that fails, candidate edits of its own text are made (rules_*.c), compiled
 * together as further kernels, and run on the cases that fail. A fix is proven if the gravest finding is gone, no new
 * one is there, and strictly more cases are right; of those that help most the smallest edit is kept. Nothing is
 * believed that was not run. */
#ifndef FIX_FIX_H
#define FIX_FIX_H

#include "judge/judge.h"

enum { FIX_MOST_HINTS = 3, FIX_DEFAULT_HINTS = 1 };
/* Looks for a fix of j->student, whose checks came out as `record` says, about two seconds of work on two cores, and
 * puts it into the record as `fix`: {"line", "cause", "meaning", "idea", "diff", "wrong", "left", "cases", "tried",
 * "findings"}.
 * Without one there is no `fix`. A child process does it, under the limits of a check. */
void fix_search(struct judge *j, json_t *record);
/* The first thing to do, in the record's `advice`, and what is reported at that level: 0 fact and line; 1 what it
 * means; 2 the idea; 3 the edit. What is above it leaves the record. */
void fix_tell(json_t *record, unsigned hints);

#endif
