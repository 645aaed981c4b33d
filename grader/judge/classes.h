/* The classes of cases that a kernel handles correctly. Correctness is the share of classes that pass. */
#ifndef JUDGE_CLASSES_H
#define JUDGE_CLASSES_H

#include "judge/judge.h"

/* The results of `count` cases by class. Each shape of a case ("one warp", "tails") with each operator, and with each
 * type, is a class. A class passes if all its cases were run and are correct. */
struct classes {
    json_t *list;   /* for the record's `classes`: the caller frees it by json_decref() */
    double share;   /* of classes that pass, 0 to 1; 0 if only n = 0 passes */
    char text[300]; /* "holds: one warp, one block; not: n = 0 (min, max), tails" */
};
void classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, unsigned taught,
                struct classes *out);

#endif
