/* Writes TAP 14 (testanything.org), with a test point per check and its findings in a YAML block. Multiple labs become
 * subtests. Blocked checks are skipped. If the setup is at fault, the run bails out. */
#include "report/page.h"
#include "report/sink.h"
#include <stdlib.h>
#include <string.h>

struct place {
    FILE *out;
    int indent;
};
static void line(const struct place *p, const char *text) { fprintf(p->out, "%*s%s\n", p->indent, "", text); }

/* Writes a description with `#` escaped, because an unescaped `#` ends it. */
static void description(const struct place *p, const char *text) {
    for (; *text; text++) {
        if (*text == '#' || *text == '\\') fputc('\\', p->out);
        fputc(*text == '\n' ? ' ' : *text, p->out);
    }
}
/* Writes a double-quoted scalar, the only form that can hold any text. */
static void yaml_scalar(const struct place *p, int depth, const char *key, const char *text) {
    if (!*text) return;
    fprintf(p->out, "%*s%s: \"", p->indent + depth, "", key);
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\\n", p->out);
        else if (*text == '"' || *text == '\\')
            fprintf(p->out, "\\%c", *text);
        else
            fputc(*text, p->out);
    }
    fputs("\"\n", p->out);
}
static void yaml_number(const struct place *p, int depth, const char *key, long long n) {
    fprintf(p->out, "%*s%s: %lld\n", p->indent + depth, "", key, n);
}
static void finding(const struct place *p, const json_t *f) {
    const json_t *at = json_object_get(f, "at");
    fprintf(p->out, "%*s-\n", p->indent + 4, "");
    yaml_scalar(p, 6, "kind", page_string(f, "kind"));
    yaml_scalar(p, 6, "severity", page_string(f, "severity"));
    yaml_scalar(p, 6, "title", page_string(f, "title"));
    yaml_scalar(p, 6, "message", page_string(f, "message"));
    yaml_scalar(p, 6, "file", page_string(at, "file"));
    yaml_number(p, 6, "line", page_integer(at, "line"));
    yaml_scalar(p, 6, "replay", page_string(f, "replay"));
}
static void details(const struct place *p, const json_t *test, const char *severity) {
    const json_t *findings = json_object_get(test, "findings");
    size_t k;
    json_t *f;
    line(p, "  ---");
    yaml_scalar(p, 2, "message", page_string(test, "message"));
    yaml_scalar(p, 2, "severity", severity);
    yaml_scalar(p, 2, "check", page_string(test, "id"));
    yaml_number(p, 2, "points", page_integer(test, "points"));
    yaml_number(p, 2, "max_points", page_integer(test, "max_points"));
    yaml_scalar(p, 2, "replay", page_string(test, "replay"));
    if (json_array_size(findings)) line(p, "  findings:");
    json_array_foreach(findings, k, f) finding(p, f);
    line(p, "  ...");
}
static const struct {
    bool ok, skipped;
    const char *severity;
} shows[STATUSES] = {[STATUS_NONE] = {false, false, "setup"}, [STATUS_PASS] = {true, false, NULL},
                     [STATUS_FAIL] = {false, false, "fail"},  [STATUS_ERROR] = {false, false, "error"},
                     [STATUS_BLOCKED] = {true, true, NULL},   [STATUS_SKIPPED] = {true, true, NULL},
                     [STATUS_SETUP] = {false, false, "setup"}};
/* Returns whether all of the lab's test points are ok. */
static bool points(const struct place *p, const json_t *record) {
    const json_t *tests = json_object_get(record, "tests");
    bool all = true;
    size_t k;
    json_t *t;
    if (grade_end_of(record) == END_BUILD) {
        char *text = page_end_text(record);
        line(p, "1..1");
        line(p, "not ok 1 - the submission builds");
        line(p, "  ---");
        yaml_scalar(p, 2, "message", text ? text : "");
        yaml_scalar(p, 2, "severity", "fail");
        line(p, "  ...");
        free(text);
        return false;
    }
    fprintf(p->out, "%*s1..%zu\n", p->indent, "", json_array_size(tests));
    json_array_foreach(tests, k, t) {
        const enum check_status row = check_status_of(t);
        all &= shows[row].ok;
        fprintf(p->out, "%*s%sok %zu - ", p->indent, "", shows[row].ok ? "" : "not ", k + 1);
        description(p, page_string(t, "title"));
        fprintf(p->out, " (%lld/%lld)", page_integer(t, "points"), page_integer(t, "max_points"));
        if (shows[row].skipped) fputs(" # SKIP ", p->out), description(p, page_string(t, "message"));
        fputc('\n', p->out);
        if (shows[row].severity) details(p, t, shows[row].severity);
    }
    return all;
}
static void bail_out(const struct place *p, const json_t *record) {
    fputs("Bail out! ", p->out);
    description(p, page_string(record, "message"));
    fputc('\n', p->out);
}
static void write_records(const json_t *record, FILE *out) {
    const struct place top = {out, 0}, inner = {out, 4};
    line(&top, "TAP version 14");
    if (!json_is_array(record)) {
        if (grade_end_of(record) != END_SETUP || json_array_size(json_object_get(record, "tests")))
            points(&top, record);
        if (grade_end_of(record) == END_SETUP) bail_out(&top, record);
        return;
    }
    fprintf(out, "1..%zu\n", page_count(record));
    for (size_t k = 0; k < page_count(record); k++) {
        const json_t *r = page_record(record, k);
        if (grade_end_of(r) == END_SETUP) {
            bail_out(&top, r);
            return;
        }
        fprintf(out, "# Subtest: %s\n", page_lab(r));
        const bool ok = points(&inner, r);
        fprintf(out, "%sok %zu - %s: %lld of %lld points\n", ok ? "" : "not ", k + 1, page_lab(r),
                page_integer(r, "score"), page_integer(r, "max_score"));
    }
}
static bool write_tap(const json_t *record, FILE *out, const struct sink_options *options) {
    (void)options;
    write_records(record, out);
    return true;
}
extern const struct sink sink_tap;
const struct sink sink_tap = {"tap", "Write TAP 14, for test harnesses", write_tap};
