/* A check's wrong results, explained: the smallest case that fails alike, and what became of its elements. */
#ifndef JUDGE_WRONG_H
#define JUDGE_WRONG_H

#include "judge/judge.h"

struct wrong_cases {
    const struct grade_case *cases;
    struct outcome *outcomes;
    unsigned count, first; /* `first` is to be explained: no other one that is wrong is plainer */
};
/* Into `result`: its replay and `example`; into `message`: the case in one or two sentences. `shown`: the case that is
 * told, valid as long as *values, which the caller frees. */
void wrong_explain(const struct judge *j, const struct wrong_cases *w, json_t *result, struct grade_case *shown,
                   void **values, char *message, size_t size);
/* "CASE: got 4, expected 6: WHY"; why may be "". */
void wrong_describe(const struct grade_case *c, const struct outcome *o, const char *why, char *out, size_t size);

#endif
