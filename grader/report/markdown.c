/* Writes a summary in Markdown for GitHub and GitLab: the points of each lab and check, findings by line, and what to
 * do first. */
#include "report/notes.h"
#include "report/page.h"
#include "report/sink.h"
#include <string.h>

/* Writes text on one line, with markup escaped, including the bar of a table and the dollar sign of a formula. */
static void put(FILE *out, const char *text) {
    for (; *text; text++) {
        if (strchr("\\`*_{}[]<>#|~$&", *text)) fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}
/* Writes text as code, between more backquotes than the longest run of backquotes in it. */
static void put_code(FILE *out, const char *text) {
    size_t most = 0;
    for (const char *s = text; *s; s += *s != 0) {
        const size_t n = strspn(s, "`");
        if (n > most) most = n;
        s += n;
    }
    for (size_t k = 0; k <= most; k++) fputc('`', out);
    fprintf(out, "%s%s%s", most ? " " : "", *text ? text : " ", most ? " " : "");
    for (size_t k = 0; k <= most; k++) fputc('`', out);
}
static const char *const words[STATUSES] = {
    [STATUS_NONE] = "?",      [STATUS_PASS] = "ok",         [STATUS_FAIL] = "**FAIL**",  [STATUS_BLOCKED] = "skip",
    [STATUS_SKIPPED] = "\\-", [STATUS_ERROR] = "**ERROR**", [STATUS_SETUP] = "**SETUP**"};
static void tests(FILE *out, const json_t *record) {
    const json_t *all = json_object_get(record, "tests");
    size_t k;
    json_t *t;
    if (!json_array_size(all)) return;
    fputs("| | points | check |\n|---|---|---|\n", out);
    json_array_foreach(all, k, t) {
        fprintf(out, "| %s | %lld/%lld | ", words[check_status_of(t)], page_integer(t, "points"),
                page_integer(t, "max_points"));
        put(out, page_string(t, "title"));
        if (check_status_of(t) != STATUS_PASS && *page_string(t, "message"))
            fputs("<br>", out), put(out, page_string(t, "message"));
        fputs(" |\n", out);
    }
    fputc('\n', out);
}
/* Writes the notes about findings and compiler errors. Omits notes about failed checks, which the table shows, and the
 * note about the fix. */
static void findings(FILE *out, const json_t *record) {
    json_t *notes = notes_of(record), *n, *t;
    size_t k, c, shown = 0;
    json_array_foreach(notes, k, n) {
        bool check = !strcmp(page_string(n, "rule"), "fix");
        json_array_foreach(json_object_get(record, "tests"), c, t) check |=
            !strcmp(page_string(n, "rule"), page_string(t, "id"));
        if (check) continue;
        fputs("- ", out);
        char place[700];
        snprintf(place, sizeof place, "%.600s:%lld", page_string(n, "file"), page_integer(n, "line"));
        json_t *whole = page_text(place); /* drops an incomplete character at the end */
        put_code(out, json_string_value(whole));
        json_decref(whole);
        fprintf(out, " %s: ", page_string(n, "severity"));
        put(out, page_string(n, "message"));
        fputc('\n', out);
        shown++;
    }
    if (shown) fputc('\n', out);
    json_decref(notes);
}
static void first(FILE *out, const json_t *record) {
    const json_t *fix = json_object_get(record, "fix"), *diff = json_object_get(fix, "diff"), *line;
    const json_int_t at = json_integer_value(json_object_get(fix, "at"));
    size_t k;
    if (grade_end_of(record) == END_SETUP)
        fputs("The machine is at fault, not the submission: ", out), put(out, page_string(record, "message")),
            fputs("\n\n", out);
    else if (*page_string(record, "advice"))
        fputs("**First:** ", out), put(out, page_string(record, "advice")), fputs("\n\n", out);
    if (at && at != json_integer_value(json_object_get(fix, "line"))) fprintf(out, "In line %lld:\n\n", (long long)at);
    json_array_foreach((json_t *)diff, k, line) {
        fputs("    ", out); /* an indented code block, which no text can end */
        fprintf(out, "%s\n", json_is_string(line) ? json_string_value(line) : "");
    }
    if (json_array_size(diff)) fputc('\n', out);
}
static void score(FILE *out, const json_t *record) {
    if (grade_end_of(record) == END_SETUP)
        fputs("not graded", out);
    else
        fprintf(out, "%lld of %lld points%s", page_integer(record, "score"), page_integer(record, "max_score"),
                grade_end_of(record) == END_BUILD ? ", does not build" : "");
}
static void name(FILE *out, const json_t *record) {
    put(out, page_lab(record)), fputs(" ", out), put(out, page_string(json_object_get(record, "lab"), "title"));
}
static bool write_markdown(const json_t *record, FILE *out, const struct sink_options *options) {
    const size_t count = page_count(record);
    (void)options;
    if (!count) fputs("No lab has been started: all files are unchanged.\n", out);
    if (count > 1) fputs("| lab | |\n|---|---|\n", out);
    for (size_t k = 0; count > 1 && k < count; k++) {
        const json_t *r = page_record(record, k);
        fputs("| ", out), name(out, r), fputs(" | ", out), score(out, r), fputs(" |\n", out);
    }
    for (size_t k = 0; k < count; k++) {
        const json_t *r = page_record(record, k);
        fputs(k || count > 1 ? "\n## " : "## ", out);
        name(out, r), fputs(": ", out), score(out, r), fputs("\n\n", out);
        tests(out, r), findings(out, r), first(out, r);
    }
    return true;
}
extern const struct sink sink_markdown;
const struct sink sink_markdown = {"markdown", "Write a summary in Markdown, for a GitHub or GitLab job",
                                   write_markdown};
