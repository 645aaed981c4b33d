/* Writes one line per note in the format of compilers, for editors: FILE:LINE:COLUMN: SEVERITY: MESSAGE [RULE]. The
 * format must not change, because .vscode/tasks.json of the handout and students' own settings parse it. */
#include "report/notes.h"
#include "report/page.h"
#include "report/sink.h"

static bool write_findings(const json_t *record, FILE *out, const struct sink_options *options) {
    json_t *n;
    size_t k;
    (void)options;
    for (size_t r = 0; r < page_count(record); r++) {
        const json_t *one = page_record(record, r);
        json_t *notes = notes_of(one);
        if (grade_end_of(one) == END_SETUP) fprintf(out, "grade: error: %s\n", page_string(one, "message"));
        json_array_foreach(notes, k, n) fprintf(
            out, "%s:%lld:%lld: %s: %s [%s]\n", page_string(n, "file"), page_integer(n, "line"),
            page_integer(n, "column"), page_string(n, "severity"), page_string(n, "message"), page_string(n, "rule"));
        json_decref(notes);
    }
    return true;
}
extern const struct sink sink_findings;
const struct sink sink_findings = {"findings",
                                   "Write one line per finding in the format of compiler messages, for "
                                   "editors",
                                   write_findings};
