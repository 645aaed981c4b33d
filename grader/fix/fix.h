/* Verified fixes. For a failing submission, candidate edits of its own text are generated (rules_*.c), compiled
 * together as additional kernels, and run on the failing cases. A fix is verified if the most severe finding is gone,
 * if there is no new finding, and if more cases are correct. Of the most effective edits the smallest is kept. No edit
 * is reported without having run. */
#ifndef FIX_FIX_H
#define FIX_FIX_H

#include "judge/judge.h"

enum { FIX_MOST_HINTS = 3, FIX_DEFAULT_HINTS = 1 };
/* Searches for a fix of j->student, whose checks have left their results in `record`. This takes about two seconds on
 * two cores, in a child process under the limits of a check. Adds the fix to the record as `fix`: {"line", "cause",
 * "meaning", "idea", "diff", "wrong", "left", "cases", "tried", "findings"}, or nothing if there is none. */
void fix_search(struct judge *j, json_t *record);
/* Sets the record's `advice`, and removes from the fix what exceeds the level of hints: 0: fact and line; 1: what it
 * means; 2: the idea; 3: the edit. */
void fix_tell(json_t *record, unsigned hints);

#endif
