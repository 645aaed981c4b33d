/* Which kinds of cases a kernel is right for: correctness is the share of these classes that hold. */
#ifndef JUDGE_CLASSES_H
#define JUDGE_CLASSES_H

#include "judge/judge.h"

/* What came of `count` cases, class by class: each shape of a case ("one warp", "tails") with each operator, and with
 * each type, is a class. It holds if all its cases were run and are right. */
struct classes {
    json_t *list;   /* as the record has them, `classes`: for the caller to json_decref() */
    double share;   /* how many hold, 0 to 1; 0 where nothing holds but n = 0 */
    char text[300]; /* "holds: one warp, one block; not: n = 0 (min, max), tails" */
};
void classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, unsigned taught,
                struct classes *out);

#endif
