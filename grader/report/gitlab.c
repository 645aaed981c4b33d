/* Writes GitLab's code quality report: an array of issues, one per note, which merge requests show at their lines. */
#include "report/notes.h"
#include "report/page.h"
#include "report/sink.h"

static bool write_gitlab(const json_t *record, FILE *out, const struct sink_options *options) {
    static const char *const severities[NOTE_SEVERITIES] = {
        [NOTE_ERROR] = "major", [NOTE_WARNING] = "minor", [NOTE_NOTE] = "info"};
    json_t *all = json_array(), *n;
    size_t k;
    (void)options;
    for (size_t r = 0; r < page_count(record); r++) {
        json_t *notes = notes_of(page_record(record, r));
        json_array_foreach(notes, k, n) json_array_append_new(
            all, json_pack("{s:O, s:O, s:O, s:s, s:{s:O, s:{s:O}}}", "description", json_object_get(n, "message"),
                           "check_name", json_object_get(n, "rule"), "fingerprint", json_object_get(n, "key"),
                           "severity", severities[note_severity_of(n)], "location", "path", json_object_get(n, "file"),
                           "lines", "begin", json_object_get(n, "line")));
        json_decref(notes);
    }
    return page_json(all, out);
}
extern const struct sink sink_gitlab;
const struct sink sink_gitlab = {"gitlab", "Write GitLab's code quality report", write_gitlab};
