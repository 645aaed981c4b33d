/* Writes JUnit XML for CI servers, with a test suite per lab and a test case per check. A failure is due to the
 * submission, and an error is due to the setup. Blocked checks are skipped. The schema is in grader/tests/junit.xsd. */
#include "report/page.h"
#include "report/sink.h"
#include <stdlib.h>

static void attribute(FILE *out, const char *name, const char *value) {
    fprintf(out, " %s=\"", name);
    for (; *value; value++) { /* a line end in an attribute would be read as a space */
        const char one[] = {*value, 0};
        if (*value == '\n')
            fputs("&#10;", out);
        else if ((unsigned char)*value < 0x80)
            page_xml(out, one);
        else
            fputc(*value, out);
    }
    fputc('"', out);
}
static void element(FILE *out, const char *name, const char *text) {
    fprintf(out, "      <%s>", name);
    page_xml(out, text);
    fprintf(out, "</%s>\n", name);
}
static void property(FILE *out, const char *name, const char *value) {
    fputs("      <property", out);
    attribute(out, "name", name);
    attribute(out, "value", value);
    fputs("/>\n", out);
}

/* Names of the elements that show a status; NULL if there is no element. */
enum shown { SHOWN_NOT, SHOWN_FAILURE, SHOWN_ERROR, SHOWN_SKIPPED, SHOWN };
static const char *const elements[SHOWN] = {
    [SHOWN_FAILURE] = "failure", [SHOWN_ERROR] = "error", [SHOWN_SKIPPED] = "skipped"};
static const enum shown shown_statuses[STATUSES] = {
    [STATUS_NONE] = SHOWN_ERROR,      [STATUS_PASS] = SHOWN_NOT,        [STATUS_FAIL] = SHOWN_FAILURE,
    [STATUS_BLOCKED] = SHOWN_SKIPPED, [STATUS_SKIPPED] = SHOWN_SKIPPED, [STATUS_ERROR] = SHOWN_FAILURE,
    [STATUS_SETUP] = SHOWN_ERROR};
static const enum shown shown_ends[ENDS] = {[END_BUILD] = SHOWN_FAILURE, [END_SETUP] = SHOWN_ERROR};
static void result(FILE *out, enum shown what, const char *message, const char *type, const char *text) {
    fprintf(out, "      <%s", elements[what]);
    attribute(out, "message", message);
    if (what != SHOWN_SKIPPED) attribute(out, "type", type);
    if (what != SHOWN_SKIPPED && *text) {
        fputc('>', out);
        page_xml(out, text);
        fprintf(out, "</%s>\n", elements[what]);
    } else
        fputs("/>\n", out);
}
static void begin_case(FILE *out, const json_t *record, const char *name) {
    char class[160];
    const json_t *lab = json_object_get(record, "lab");
    snprintf(class, sizeof class, "%s.%s", page_string(lab, "id"), page_string(lab, "name"));
    fputs("    <testcase", out);
    attribute(out, "classname", class);
    attribute(out, "name", name);
    fputs(">\n", out);
}
static void test_case(FILE *out, const json_t *record, const json_t *test) {
    char points[64];
    const enum shown what = shown_statuses[check_status_of(test)];
    const json_t *finding = json_array_get(json_object_get(test, "findings"), 0);
    char *text = page_test(record, test);
    begin_case(out, record, page_string(test, "title"));
    if (what)
        result(out, what, page_string(test, "message"),
               finding ? page_string(finding, "kind") : page_string(test, "id"), text ? text : "");
    snprintf(points, sizeof points, "%lld of %lld points", page_integer(test, "points"),
             page_integer(test, "max_points"));
    element(out, "system-out", points);
    fputs("    </testcase>\n", out);
    free(text);
}
/* Writes a test case that says that the submission does not build or that the setup is at fault. */
static void ending(FILE *out, const json_t *record, enum shown what) {
    char *text = page_end_text(record);
    const bool build = grade_end_of(record) == END_BUILD;
    begin_case(out, record, build ? "the submission builds" : "grading completes");
    result(out, what, build ? "the submission does not build" : page_string(record, "message"),
           page_string(record, "end"), text ? text : "");
    fputs("    </testcase>\n", out);
    free(text);
}
static unsigned count(const json_t *tests, enum shown what) {
    unsigned n = 0;
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) n += shown_statuses[check_status_of(t)] == what;
    return n;
}
static void suite(FILE *out, const json_t *record) {
    static const char *const texts[] = {"submission", "device", "compiler", "seed", "end", "advice"};
    char number[32];
    size_t k;
    json_t *t;
    const json_t *lab = json_object_get(record, "lab"), *tests = json_object_get(record, "tests");
    const enum shown end = shown_ends[grade_end_of(record)];
    fputs("  <testsuite", out);
    attribute(out, "name", page_string(lab, "id"));
    attribute(out, "id", page_string(lab, "name"));
    fprintf(out, " tests=\"%zu\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n", json_array_size(tests) + !!end,
            count(tests, SHOWN_FAILURE) + (end == SHOWN_FAILURE), count(tests, SHOWN_ERROR) + (end == SHOWN_ERROR),
            count(tests, SHOWN_SKIPPED));
    fputs("    <properties>\n", out);
    property(out, "title", page_string(lab, "title"));
    snprintf(number, sizeof number, "%lld", page_integer(record, "score"));
    property(out, "score", number);
    snprintf(number, sizeof number, "%lld", page_integer(record, "max_score"));
    property(out, "max_score", number);
    for (k = 0; k < sizeof texts / sizeof *texts; k++) property(out, texts[k], page_string(record, texts[k]));
    fputs("    </properties>\n", out);
    if (end) ending(out, record, end);
    json_array_foreach(tests, k, t) test_case(out, record, t);
    fputs("  </testsuite>\n", out);
}
static bool write_junit(const json_t *record, FILE *out, const struct sink_options *options) {
    (void)options;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"reduction labs\">\n", out);
    for (size_t k = 0; k < page_count(record); k++) suite(out, page_record(record, k));
    fputs("</testsuites>\n", out);
    return true;
}
extern const struct sink sink_junit;
const struct sink sink_junit = {"junit", "Write JUnit XML, for CI servers", write_junit};
