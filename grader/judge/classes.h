/* Groups cases into classes. The share of passing classes says how correct a kernel is. */
#ifndef JUDGE_CLASSES_H
#define JUDGE_CLASSES_H

#include "judge/judge.h"

/* The results of `count` cases by class. A case has a shape ("one warp", "tails"), an operator and a type. Each shape
 * with an operator is a class, and each shape with a type. A class passes if all its cases ran and are correct. */
enum { CLASSES_TEXT = 1600 };
struct classes {
    json_t *list; /* the record's `classes`; free it with json_decref() */
    double share; /* passing classes divided by all classes; 0 if only classes with n = 0 pass */
    /* a summary such as "all right: one full warp, one full block; wrong in: unaligned input; some wrong in: n = 0
     * (min, max); not run: large n". It uses the terms of `taught`. "wrong in" lists shapes without a correct case. */
    char text[CLASSES_TEXT];
};
void classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, unsigned taught,
                struct classes *out);

#endif
