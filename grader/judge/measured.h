/* Measurements as JSON, shared by the records of a grade and a run (docs/result.schema.json). */
#ifndef JUDGE_MEASURED_H
#define JUDGE_MEASURED_H

#include "probes/probes.h"
#include <jansson.h>

/* A JSON string. JSON strings are UTF-8, but a message may quote arbitrary bytes from a student, so bytes that are not
 * ASCII text become '?'. */
json_t *measured_text(const char *s);
/* The figures of all probes that listened (probes/catalog.h), by key. */
json_t *measured_counts(const struct measurement *m);
json_t *measured_steps(const struct steps *l);
/* Counts and lines, with the size of the launch. */
struct grade_case;
json_t *measured_launch(const struct grade_case *c, const struct measurement *m);
/* The counts of each line of a file, which is named without folders; NULL: of all files, each line with its `file`. */
json_t *measured_lines(const struct measurement *m, const char *file);
/* A finding. Sites in `file` (a name without folders, or NULL) get the name `shown`. */
json_t *measured_finding(const struct finding *f, unsigned taught, const char *file, const char *shown);

#endif
