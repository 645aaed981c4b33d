/* Reports: each is a pure function of the result record (docs/result.schema.json), one file and one row in sinks.def.
 */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct sink_options {
    bool color;
    bool quiet;
    bool lanes, explain, beside; /* the page for a terminal: with the lane map, explanations, counts side by side */
    unsigned live; /* the page for a browser: it is served, and is the live-th; 0: it is a file of its own */
};
struct sink {
    const char *name, *option; /* "json": the option --json FILE, and what its help says */
    /* Writes a record, or an array of records, one a lab; false if it could not be written whole. */
    bool (*write)(const json_t *record, FILE *out, const struct sink_options *options);
};
extern const struct sink *const sink_rows[];
extern const unsigned sink_row_count;
const struct sink *sink_find(const char *name);

#endif
