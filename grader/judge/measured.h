/* Measurements as JSON, shared by the records of a grade and a run (docs/result.schema.json). */
#ifndef JUDGE_MEASURED_H
#define JUDGE_MEASURED_H

#include "probes/probes.h"
#include <jansson.h>

/* Returns a JSON string. JSON strings are UTF-8, but a message may quote arbitrary bytes from a student, so bytes that
 * are not ASCII text are replaced by '?'. */
json_t *measured_text(const char *s);
/* Returns the figures of all probes that listened (probes/catalog.h), by key. */
json_t *measured_counts(const struct measurement *m);
json_t *measured_steps(const struct steps *l);
/* Returns counts and lines, with the size of the launch. */
struct grade_case;
json_t *measured_launch(const struct grade_case *c, const struct measurement *m);
/* Returns the counts of each line of a file, which is named without folders. If `file` is NULL, returns those of all
 * files, with the `file` of each line. */
json_t *measured_lines(const struct measurement *m, const char *file);
/* Returns a finding as JSON. Sites in `file` (a name without folders, or NULL) get the name `shown`. */
json_t *measured_finding(const struct finding *f, unsigned taught, const char *file, const char *shown);

#endif
