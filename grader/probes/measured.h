/* Measurements as JSON, for the records of all commands (docs/result.schema.json). */
#ifndef PROBES_MEASURED_H
#define PROBES_MEASURED_H

#include "probes/probes.h"
#include <jansson.h>

/* Converts text to a JSON string, which is UTF-8. A message may quote any bytes of a submission, so '?' replaces each
 * byte outside ASCII text. */
json_t *measured_text(const char *s);
/* Returns an object with the figures of all active probes (probes/catalog.h). */
json_t *measured_counts(const struct measurement *m);
json_t *measured_steps(const struct steps *l);
/* Returns the counts of each line of `file`, a name without folders. For NULL, returns those of all files, each with
 * its `file`. */
json_t *measured_lines(const struct measurement *m, const char *file);
/* Converts a finding to JSON. Sites in `file` (a name without folders, or NULL) get the name `shown`. */
json_t *measured_finding(const struct finding *f, unsigned taught, const char *file, const char *shown);

#endif
