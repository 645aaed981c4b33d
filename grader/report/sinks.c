/* The table of report formats, from sinks.def. */
#include "report/page.h"
#include "report/sink.h"
#include <string.h>

#define SINK(name) extern const struct sink sink_##name;
#include "report/sinks.def"
const struct sink *const sink_rows[] = {
#define SINK(name) &sink_##name,
#include "report/sinks.def"
};
const unsigned sink_row_count = sizeof sink_rows / sizeof *sink_rows;

const struct sink *sink_find(const char *name) {
    for (unsigned k = 0; k < sink_row_count; k++)
        if (!strcmp(sink_rows[k]->name, name)) return sink_rows[k];
    return NULL;
}
bool sink_write(const struct sink *sink, const json_t *record, FILE *out, const struct sink_options *options) {
    json_t *safe = sink->exact ? NULL : page_safe_copy(record);
    const bool ok = sink->write(sink->exact ? record : safe, out, options);
    json_decref(safe);
    return fflush(out) == 0 && !ferror(out) && ok;
}
