/* Explains a check's wrong results: the smallest case that fails in the same way, and what happened to its elements. */
#ifndef JUDGE_WRONG_H
#define JUDGE_WRONG_H

#include "judge/judge.h"

struct wrong_cases {
    const struct grade_case *cases;
    struct outcome *outcomes;
    unsigned count, first; /* index of the case to explain: the simplest wrong one */
};
/* Explains case w->first. Adds its replay and an `example` to `result`, and prints one or two sentences to `message`.
 * *shown is the case that they describe, with the elements *values; free() them. */
void wrong_explain(const struct judge *j, const struct wrong_cases *w, json_t *result, struct grade_case *shown,
                   void **values, char *message, size_t size);
/* Prints "CASE: got 4, expected 6: WHY". `why` may be empty. */
void wrong_describe(const struct grade_case *c, const struct outcome *o, const char *why, char *out, size_t size);

#endif
