/* Strings about a record and its tests that multiple formats share. See page.h. */
#include "report/page.h"
#include <stdlib.h>
#include <string.h>

size_t page_count(const json_t *record) { return json_is_array(record) ? json_array_size(record) : 1; }
const json_t *page_record(const json_t *record, size_t k) {
    return json_is_array(record) ? json_array_get(record, k) : record;
}
const char *page_lab(const json_t *record) { return page_string(json_object_get(record, "lab"), "id"); }

bool page_json(json_t *document, FILE *out) {
    const bool ok = document && json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) == 0;
    fputc('\n', out);
    json_decref(document);
    return ok;
}
json_t *page_text(const char *text) {
    if (!text) return json_string("");
    for (size_t n = strlen(text), cut = 0; cut < 4 && cut <= n; cut++) { /* drops an incomplete character at the end */
        json_t *s = json_stringn(text, n - cut);
        if (s) return s;
    }
    return json_string("?");
}
/* Escapes text for XML. Replaces U+FFFE, U+FFFF, and the control characters below U+0020 except tab and line end with
 * '?'. XML 1.0 forbids all of these but the carriage return, even in escaped form. */
void page_xml(FILE *out, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const bool no_character = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
        if (no_character)
            fputc('?', out), c += 2;
        else if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '>')
            fputs("&gt;", out);
        else if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '"')
            fputs("&quot;", out);
        else if (*c < ' ' && *c != '\n' && *c != '\t')
            fputc('?', out);
        else
            fputc(*c, out);
    }
}
void page_example(const struct page *p, int indent, const json_t *record, const json_t *t, bool all) {
    enum { FEW = 6 };
    const json_t *e = json_object_get(t, "example"), *lines = json_object_get(e, "steps"), *line;
    const json_t *launched = json_object_get(e, "launched");
    const size_t count = json_array_size(lines), shown = all || count <= FEW + 1 ? count : FEW;
    char text[1000];
    size_t k;
    snprintf(text, sizeof text, "%s: %s, %s, n = %lld, blockDim.x = %lld",
             json_is_true(json_object_get(record, "replay")) ? "The case"
             : json_is_true(json_object_get(e, "shrunk"))    ? "Smallest failing case"
                                                             : "Failing case",
             page_string(e, "kernel"), page_string(e, "operator"), page_integer(e, "elements"),
             page_integer(e, "block"));
    if (page_integer(e, "grid"))
        snprintf(text + strlen(text), sizeof text - strlen(text), ", gridDim.x = %lld", page_integer(e, "grid"));
    char grid[60] = "";
    if (page_integer(launched, "grid"))
        snprintf(grid, sizeof grid, ", gridDim.x = %lld", page_integer(launched, "grid"));
    if (page_integer(e, "launch") > 1)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 ", launch %lld (n = %lld, blockDim.x = %lld%s), after correct ones", page_integer(e, "launch"),
                 page_integer(launched, "elements"), page_integer(launched, "block"), grid);
    page_wrapped(p, indent, text);
    if (*page_string(e, "values")) {
        snprintf(text, sizeof text, "%s%s = %s", page_integer(e, "launch") > 1 ? "launch 1 has " : "",
                 page_string(e, "input"), page_string(e, "values"));
        page_wrapped(p, indent, text);
    }
    json_array_foreach((json_t *)lines, k, line) if (k < shown) page_wrapped(p, indent + 2, json_string_value(line));
    if (shown < count) fprintf(p->out, "%*s... (--explain shows all steps)\n", indent + 2, "");
    if (*page_string(e, "got")) {
        snprintf(text, sizeof text, "got %s, expected %s", page_string(e, "got"), page_string(e, "expected"));
        page_wrapped(p, indent, text);
    }
    page_wrapped(p, indent, page_string(e, "fate"));
    if (*page_string(e, "replay")) fprintf(p->out, "%*sreplay: %s\n", indent, "", page_string(e, "replay"));
}
void page_fix(const struct page *p, const json_t *record) {
    const json_t *line, *fix = json_object_get(record, "fix");
    const json_int_t at = json_integer_value(json_object_get(fix, "at")),
                     wrong = json_integer_value(json_object_get(fix, "line"));
    size_t k;
    if (at && at != wrong) fprintf(p->out, "  on line %lld:\n", (long long)at);
    json_array_foreach(json_object_get(fix, "diff"), k, line) {
        const char *text = json_is_string(line) ? json_string_value(line) : "";
        fprintf(p->out, "  %s%s%s\n", page_begin(p, *text == '+' ? GREEN : RED), text, page_end(p));
    }
}
char *page_test(const json_t *record, const json_t *test) {
    char *text = NULL;
    size_t size = 0, k;
    json_t *f;
    const struct page p = {open_memstream(&text, &size), false, terms_taught(page_lab(record))};
    const json_t *findings = json_object_get(test, "findings");
    if (!p.out) return NULL;
    page_wrapped(&p, 0, page_string(test, "message"));
    if (*page_string(test, "printed")) {
        fprintf(p.out, "the kernel printed\n");
        page_wrapped(&p, 4, page_string(test, "printed"));
    }
    json_t *alone = json_pack("[O]", test);
    json_array_foreach(findings, k, f) if (!page_is_listed(alone, f))
        page_finding(&p, f, alone, json_object_get(record, "source"));
    json_decref(alone);
    if (json_object_get(test, "example"))
        page_example(&p, 0, record, test, false);
    else if (!json_array_size(findings) && *page_string(test, "replay"))
        fprintf(p.out, "replay: %s\n", page_string(test, "replay"));
    fclose(p.out);
    return text;
}
char *page_end_text(const json_t *record) {
    char *text = NULL;
    size_t size = 0;
    const struct page p = {open_memstream(&text, &size), false, terms_taught(page_lab(record))};
    const json_t *build = json_object_get(record, "build");
    if (!p.out) return NULL;
    if (grade_end_of(record) == END_SETUP)
        fprintf(p.out, "The machine is at fault, not the submission:\n"),
            page_wrapped(&p, 2, page_string(record, "message"));
    else if (grade_end_of(record) == END_BUILD)
        fprintf(p.out, "%s does not build:\n\n%s", page_string(record, "submission"), page_string(build, "log"));
    if (grade_end_of(record) != END_SETUP && *page_string(record, "advice"))
        fprintf(p.out, "First: "), page_hanging(&p, 7, page_string(record, "advice")), page_fix(&p, record);
    fclose(p.out);
    return text;
}
