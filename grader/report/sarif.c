/* Writes SARIF 2.1.0 (OASIS) for code scanning, with a run per lab and a result per note. The properties that its
 * schema requires are in grader/tests/sarif.schema.json. */
#include "report/notes.h"
#include "report/page.h"
#include "report/sink.h"
#include "report/views.h"
#include <stdlib.h>
#include <string.h>

/* Returns a file name as a URI reference, with reserved characters escaped. */
static json_t *uri(const char *path) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return json_string("");
    for (; *path; path++)
        if (strchr(plain, *path))
            fputc(*path, f);
        else
            fprintf(f, "%%%02X", (unsigned char)*path);
    fclose(f);
    json_t *out = page_text(text);
    free(text);
    return out;
}
static json_t *message(const char *text) { return json_pack("{s:s}", "text", text); }
/* Returns the index of the note's rule. Adds the rule to the list if it is missing. */
static size_t rule_of(json_t *rules, const json_t *note, unsigned taught) {
    const char *id = page_string(note, "rule"), *title = page_string(note, "title"),
               *help = view_explanation(id, taught);
    size_t k;
    json_t *r;
    json_array_foreach(rules, k, r) if (!strcmp(page_string(r, "id"), id)) return k;
    json_array_append_new(rules, json_pack("{s:s, s:o, s:o, s:o}", "id", id, "shortDescription", message(title),
                                           "fullDescription", message(help ? help : title), "help",
                                           message(help ? help : title)));
    return json_array_size(rules) - 1;
}
static json_t *result(json_t *rules, const json_t *note, unsigned taught) {
    const size_t rule = rule_of(rules, note, taught);
    return json_pack("{s:s, s:I, s:s, s:o, s:[{s:{s:{s:o}, s:{s:O, s:O}}}], s:{s:O}}", "ruleId",
                     page_string(note, "rule"), "ruleIndex", (json_int_t)rule, "level", page_string(note, "severity"),
                     "message", message(page_string(note, "message")), "locations", "physicalLocation",
                     "artifactLocation", "uri", uri(page_string(note, "file")), "region", "startLine",
                     json_object_get(note, "line"), "startColumn", json_object_get(note, "column"),
                     "partialFingerprints", "finding/v1", json_object_get(note, "key"));
}
static json_t *run_of(const json_t *record) {
    json_t *rules = json_array(), *results = json_array(), *notes = notes_of(record), *n, *failed = json_array();
    char id[300];
    size_t k;
    const bool setup = grade_end_of(record) == END_SETUP;
    json_array_foreach(notes, k, n) json_array_append_new(results, result(rules, n, terms_taught(page_lab(record))));
    json_decref(notes);
    if (setup)
        json_array_append_new(
            failed, json_pack("{s:s, s:o}", "level", "error", "message", message(page_string(record, "message"))));
    /* Code scanning uses the part before the last slash as the category. */
    snprintf(id, sizeof id, "reduction-labs/%s/", page_lab(record));
    json_t *of = page_text(id);
    return json_pack("{s:{s:{s:s, s:o}}, s:{s:o}, s:s, s:[{s:b, s:o}], s:o}", "tool", "driver", "name",
                     "reduction-labs", "rules", rules, "automationDetails", "id", of, "columnKind", "unicodeCodePoints",
                     "invocations", "executionSuccessful", !setup, "toolExecutionNotifications", failed, "results",
                     results);
}
static bool write_sarif(const json_t *record, FILE *out, const struct sink_options *options) {
    json_t *runs = json_array();
    (void)options;
    for (size_t k = 0; k < page_count(record); k++) json_array_append_new(runs, run_of(page_record(record, k)));
    return page_json(
        json_pack("{s:s, s:s, s:o}", "$schema",
                  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
                  "version", "2.1.0", "runs", runs),
        out);
}
extern const struct sink sink_sarif;
const struct sink sink_sarif = {"sarif", "Write SARIF 2.1.0, for code scanning", write_sarif};
