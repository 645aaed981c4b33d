/* The smallest case that fails as a larger one did: few elements, one warp, one block, plain values first. */
#ifndef JUDGE_EXAMPLE_H
#define JUDGE_EXAMPLE_H

#include "judge/judge.h"

struct example {
    struct grade_case c; /* its elements are c.values */
    void *values;
    union value (*pattern)(struct variant v, uint32_t n, uint32_t k); /* they are of it: element k of n */
    struct outcome o;
};
/* A small case that comes out as `like` did: wrong, or stopped. Tries launches in a fixed order, and no longer than a
 * fixed amount of work; false: none of them fails. Else example_free() it. */
bool example_find(const struct judge *j, const struct grade_case *like, const struct outcome *o, struct example *e);
void example_free(struct example *e);
/* The record's `example` of a case that came out so, and what became of its elements ("" where that is not known);
 * shrunk: it is of example_find(). */
json_t *example_json(const struct judge *j, const struct grade_case *c, const struct outcome *o, const char *fate,
                     bool shrunk);

/* The case of such an example; its elements are *values, which the caller frees. False: it is none. */
bool example_read(const struct judge *j, const json_t *example, struct grade_case *c, void **values);

/* Gives findings, as JSON, the smallest launch that has them: what they say, `case`, `replay`. Those launches: at most
 * `most` of them, which the caller frees; how many. */
unsigned example_of_findings(const struct judge *j, json_t *findings, unsigned what, struct example *kept,
                             unsigned most);

#endif
