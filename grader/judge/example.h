/* Finds a small case that fails like a larger one, or that has the same finding. Tries small inputs, one warp, one
 * block and simple values first. */
#ifndef JUDGE_EXAMPLE_H
#define JUDGE_EXAMPLE_H

#include "judge/judge.h"

struct example {
    struct grade_case c; /* c.values points to `values` */
    void *values;
    union value (*pattern)(struct variant v, uint32_t n, uint32_t k); /* generates element k of n; may be NULL */
    struct outcome o;
};
/* Finds a small case with the same outcome as `like`, which is wrong or stopped. Tries launches in a fixed order, up to
 * a fixed amount of work. Returns false if none of them has this outcome, if the list of its elements is too long for a
 * replay command, if the results are arrays, or for a student's own operator. If it returns true, call
 * example_free(). */
bool example_find(const struct judge *j, const struct grade_case *like, const struct outcome *o, struct example *e);
void example_free(struct example *e);
/* Returns the record's `example` for a case with this outcome. `fate` says what happened to the elements; "" if this is
 * unknown. `shrunk`: example_find() found the case. */
json_t *example_json(const struct judge *j, const struct grade_case *c, const struct outcome *o, const char *fate,
                     bool shrunk);

/* Reads the case in a record's `example`. Sets *values to its elements, or to NULL if it does not list them; free()
 * them. Returns false if the example is invalid. */
bool example_read(const struct judge *j, const json_t *example, struct grade_case *c, void **values);

/* Searches for the smallest launch with each of these findings (JSON). If one is found, its description, `case` and
 * `replay` replace those of the finding. Stores up to `most` of the launches in `kept` and returns their number; call
 * example_free() for each. */
unsigned example_of_findings(const struct judge *j, json_t *findings, unsigned what, struct example *kept,
                             unsigned most);

#endif
