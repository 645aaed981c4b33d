/* What was measured, as JSON: parts that the record of a grade and that of a run have in common
 * (docs/result.schema.json). */
#ifndef JUDGE_MEASURED_H
#define JUDGE_MEASURED_H

#include "probes/probes.h"
#include <jansson.h>

/* JSON strings are UTF-8: a message may quote a student's bytes, so what is not ASCII text is shown as '?'. */
json_t *measured_text(const char *s);
/* The figures of all probes that listened (probes/catalog.h), by their keys. */
json_t *measured_counts(const struct measurement *m);
json_t *measured_steps(const struct steps *l);
/* Both, with the size of the launch. */
struct grade_case;
json_t *measured_launch(const struct grade_case *c, const struct measurement *m);
/* Of the lines of one file, by its last name; NULL: of all files, each with its `file`. */
json_t *measured_lines(const struct measurement *m, const char *file);
/* Sites in `file` (its last name, or NULL) are shown under the name `shown`. */
json_t *measured_finding(const struct finding *f, unsigned taught, const char *file, const char *shown);

#endif
