/* Verified fixes. For a failing submission, the rules (rules_*.c) generate candidate edits of its text. Most edits are
 * compiled together into one text, which selects one of them at run time (choices.h), and run on the failing cases. The
 * best edits are then compiled again, like a graded submission.
 *
 * A fix is verified if it removes the most severe finding, adds no error, and makes more cases correct. proof.h decides
 * which of several fixes is best. Except for a file that does not compile, every reported edit has been run. */
#ifndef FIX_FIX_H
#define FIX_FIX_H

#include "judge/judge.h"

enum { FIX_MAX_HINTS = 3, FIX_DEFAULT_HINTS = 1 };
/* Searches for a fix of j->student, whose results are in `record`. The search runs in a child process under the limits
 * of a check. If there is a fix, adds it to the record as `fix` (docs/result.schema.json).
 *
 * If the file has several mistakes, the fix may only remove the most severe finding. If the file does not compile, the
 * search is for an edit that corrects the compiler's errors (build.h). */
void fix_search(struct judge *j, json_t *record);
/* Sets the record's `advice` and removes from the fix all that exceeds the level of hints. Level 0 gives the fact and
 * its line. Level 1 gives the meaning in place of the fact, level 2 adds the idea, and level 3 adds the edit. */
void fix_advise(json_t *record, unsigned hints);

#endif
