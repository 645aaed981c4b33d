/* Groups cases into classes. The correctness of a kernel is the share of classes that pass. */
#ifndef JUDGE_CLASSES_H
#define JUDGE_CLASSES_H

#include "judge/judge.h"

/* The results of `count` cases by class. A case has a shape ("one warp", "tails"), an operator and a type. Each
 * combination of a shape and an operator is a class, and so is each combination of a shape and a type. A class passes
 * if all its cases ran and are correct. */
enum { CLASSES_TEXT = 640 };
struct classes {
    json_t *list; /* the record's `classes`; free it with json_decref() */
    double share; /* passing classes as a share of all classes, 0 to 1; 0 if only n = 0 passes */
    /* a summary such as "all right: one full warp, one full block; wrong in: unaligned input; some wrong in: n = 0
     * (min, max); not run: large n", in the terms of `taught`. A shape is under "wrong in" if none of its cases is
     * right. */
    char text[CLASSES_TEXT];
};
void classes_of(const struct grade_case *cases, const struct outcome *outcomes, unsigned count, unsigned taught,
                struct classes *out);

#endif
