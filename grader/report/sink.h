/* The interface of report formats. A format is a pure function of the result record (docs/result.schema.json). Each
 * format has a file and a row in sinks.def. page.h declares functions that formats share. */
#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct sink_options {
    bool color;
    bool quiet;
    bool lanes, explain,
        beside;    /* optional parts of the report for a terminal: lane map, explanations, counts side by side */
    unsigned live; /* HTML page: version number of a served page; 0 for a file */
};
struct sink {
    const char *name, *option; /* name, such as "json" for the option --json FILE, and help text of the option */
    /* Writes a record, or an array of records, one per lab. Unless the format is `exact`, the strings of the record
     * contain no control characters. Returns false if the report is incomplete, for example because memory ran out.
     * Only sink_write() calls this function. */
    bool (*write)(const json_t *record, FILE *out, const struct sink_options *options);
    bool exact;
};
extern const struct sink *const sink_rows[];
extern const unsigned sink_row_count;
const struct sink *sink_find(const char *name);
/* Returns false if the report could not be written completely. */
bool sink_write(const struct sink *sink, const json_t *record, FILE *out, const struct sink_options *options);

#endif
