/* Which kinds of cases a kernel is right for: correctness is the share of these classes that hold. */
#ifndef JUDGE_CLASSES_H
#define JUDGE_CLASSES_H

#include "judge/judge.h"

/* The classes of `count` cases and what came of them, as the record has them (`classes`), and in *share how many hold,
 * 0 to 1: each shape of a case with each operator, and with each type, is one. One that was not run does not hold; where
 * nothing holds but n = 0, nothing does. */
json_t *classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, double *share);

#endif
