/* Finds a small case that fails in the same way as a larger one. Tries few elements, one warp, one block and simple
 * values first. */
#ifndef JUDGE_EXAMPLE_H
#define JUDGE_EXAMPLE_H

#include "judge/judge.h"

struct example {
    struct grade_case c; /* the case; c.values has its elements */
    void *values;
    union value (*pattern)(struct variant v, uint32_t n, uint32_t k); /* generates element k of n */
    struct outcome o;
};
/* Finds a small case with the same outcome as `like`: wrong, or stopped. Tries launches in a fixed order, with a fixed
 * limit of work. Returns false if none of them fails; otherwise, call example_free(). */
bool example_find(const struct judge *j, const struct grade_case *like, const struct outcome *o, struct example *e);
void example_free(struct example *e);
/* Returns the record's `example` for a case with this outcome. fate: what happened to its elements ("" if unknown).
 * shrunk: whether the case is from example_find(). */
json_t *example_json(const struct judge *j, const struct grade_case *c, const struct outcome *o, const char *fate,
                     bool shrunk);

/* Reads the case of such an example, and its elements into *values, which the caller frees. Returns false if the
 * example is invalid. */
bool example_read(const struct judge *j, const json_t *example, struct grade_case *c, void **values);

/* Finds the smallest launch for each finding (JSON), and adds its description, `case` and `replay`. Stores at most
 * `most` of these launches, which the caller frees, and returns their number. */
unsigned example_of_findings(const struct judge *j, json_t *findings, unsigned what, struct example *kept,
                             unsigned most);

#endif
