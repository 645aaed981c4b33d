/* Classifies cases. The correctness of a kernel is the share of classes that pass. */
#ifndef JUDGE_CLASSES_H
#define JUDGE_CLASSES_H

#include "judge/judge.h"

/* The results of `count` cases by class. Each shape of a case ("one warp", "tails"), combined with each operator and
 * with each type, is a class. A class passes if all its cases were run and are correct. */
enum { CLASSES_TEXT = 480 };
struct classes {
    json_t *list; /* the record's `classes`; free it with json_decref() */
    double share; /* share of classes that pass, 0 to 1; 0 if only n = 0 passes */
    /* such as "all right: one warp, one block; some wrong: n = 0 (min, max); not run: large n" */
    char text[CLASSES_TEXT];
};
void classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, unsigned taught,
                struct classes *out);

#endif
