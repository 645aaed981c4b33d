/* Writes the record as JSON, with keys in a fixed order, indented by two spaces. */
#include "report/sink.h"

static bool write_json(const json_t *record, FILE *out, const struct sink_options *options) {
    (void)options;
    return json_dumpf(record, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) == 0 &&
           fputc('\n', out) != EOF;
}
extern const struct sink sink_json;
const struct sink sink_json = {"json", "Write the result record (schema reduction-labs/result/3)", write_json,
                               .exact = true};
