/* Writes annotations for GitHub Actions: one workflow command per note, which the job prints ("::error
 * file=...,line=...::..."). */
#include "report/notes.h"
#include "report/page.h"
#include "report/sink.h"
#include <string.h>

/* Escapes text. `also` contains the additional characters that must be escaped in a property. */
static void put(FILE *out, const char *text, const char *also) {
    for (; *text; text++)
        if (*text == '%' || *text == '\n' || *text == '\r' || strchr(also, *text))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
}
static void property(FILE *out, const char *name, const char *text) {
    fprintf(out, "%s=", name);
    put(out, text, ":,");
}
static bool write_github(const json_t *record, FILE *out, const struct sink_options *options) {
    static const char *const commands[NOTE_SEVERITIES] = {
        [NOTE_ERROR] = "error", [NOTE_WARNING] = "warning", [NOTE_NOTE] = "notice"};
    json_t *n;
    size_t k;
    (void)options;
    for (size_t r = 0; r < page_count(record); r++) {
        const json_t *one = page_record(record, r);
        json_t *notes = notes_of(one);
        if (grade_end_of(one) == END_SETUP)
            fputs("::error::grade: ", out), put(out, page_string(one, "message"), ""), fputc('\n', out);
        json_array_foreach(notes, k, n) {
            fprintf(out, "::%s ", commands[note_severity_of(n)]);
            property(out, "file", page_string(n, "file"));
            fprintf(out, ",line=%lld,col=%lld,", page_integer(n, "line"), page_integer(n, "column"));
            property(out, "title", page_string(n, "title"));
            fputs("::", out);
            put(out, page_string(n, "message"), "");
            fputc('\n', out);
        }
        json_decref(notes);
    }
    return true;
}
extern const struct sink sink_github;
const struct sink sink_github = {"github", "Write annotations for a GitHub Actions job to print", write_github};
