/* Finds the smallest case that fails like a larger one. Tries few elements, one warp, one block and simple values
 * first. */
#ifndef JUDGE_EXAMPLE_H
#define JUDGE_EXAMPLE_H

#include "judge/judge.h"

struct example {
    struct grade_case c; /* the case; c.values has its elements */
    void *values;
    union value (*pattern)(struct variant v, uint32_t n, uint32_t k); /* generates element k of n */
    struct outcome o;
};
/* Finds a small case with the same outcome as `like`: wrong, or stopped. Tries launches in a fixed order, up to a fixed
 * amount of work. False if none fails; otherwise example_free() it. */
bool example_find(const struct judge *j, const struct grade_case *like, const struct outcome *o, struct example *e);
void example_free(struct example *e);
/* The record's `example` for a case with this outcome. `fate`: what became of its elements ("" if unknown). `shrunk`:
 * the case is from example_find(). */
json_t *example_json(const struct judge *j, const struct grade_case *c, const struct outcome *o, const char *fate,
                     bool shrunk);

/* Reads the case of such an example. Its elements are *values, which the caller frees. False if invalid. */
bool example_read(const struct judge *j, const json_t *example, struct grade_case *c, void **values);

/* For each finding (JSON), finds the smallest launch that has it, and adds its description, `case` and `replay`.
 * Collects at most `most` of these launches, which the caller frees, and returns their number. */
unsigned example_of_findings(const struct judge *j, json_t *findings, unsigned what, struct example *kept,
                             unsigned most);

#endif
