/* Verified fixes. For a failing submission, candidate edits of its own text are generated (rules_*.c), compiled
 * together as additional kernels, and run on the failing cases. A fix is verified if the most severe finding is gone,
 * there is no new one, and strictly more cases are correct; of the most effective edits the smallest is kept. Nothing
 * is claimed without running it. */
#ifndef FIX_FIX_H
#define FIX_FIX_H

#include "judge/judge.h"

enum { FIX_MOST_HINTS = 3, FIX_DEFAULT_HINTS = 1 };
/* Searches for a fix of j->student, given the results of its checks in `record`, with about two seconds of work on two
 * cores, and adds it to the record as `fix`: {"line", "cause", "meaning", "idea", "diff", "wrong", "left", "cases",
 * "tried", "findings"}. If none is found, there is no `fix`. Runs in a child process, under the limits of a check. */
void fix_search(struct judge *j, json_t *record);
/* Sets the record's `advice`, and limits the fix to that level: 0 fact and line; 1 what it means; 2 the idea; 3 the
 * edit. The rest is removed from the record. */
void fix_tell(json_t *record, unsigned hints);

#endif
