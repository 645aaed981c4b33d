/* See notes.h. */
#include "report/notes.h"
#include "base/hash.h"
#include "report/page.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const severities[NOTE_SEVERITIES] = {"error", "warning", "note"};
enum note_severity note_severity_of(const json_t *note) {
    for (unsigned k = 0; k < NOTE_SEVERITIES; k++)
        if (!strcmp(page_string(note, "severity"), severities[k])) return (enum note_severity)k;
    return NOTE_ERROR;
}

/* ---- adding a note ----------------------------------------------------------------------------------------------- */
struct place {
    const char *file;
    long long line, column;
};
/* Returns n if it can be a line or column, otherwise 1. The record may violate its schema. */
static long long from_one(long long n) { return n > 0 && n < 1 << 30 ? n : 1; }

static void add(json_t *all, struct place at, const char *severity, const char *rule, const char *title,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
static void add(json_t *all, struct place at, const char *severity, const char *rule, const char *title,
                const char *format, ...) {
    char *message = NULL, key[48];
    unsigned again = 0;
    size_t k;
    json_t *n;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&message, format, arguments) < 0) message = NULL;
    va_end(arguments);
    for (char *c = message; c && *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    json_array_foreach(all, k, n) again +=
        !strcmp(page_string(n, "rule"), rule) && !strcmp(page_string(n, "file"), at.file);
    const uint64_t hash = hash_bytes(hash_bytes(HASH_START, rule, strlen(rule) + 1), at.file, strlen(at.file));
    snprintf(key, sizeof key, "%016" PRIx64 ":%u", hash, again);
    json_t *text = page_text(message);
    json_array_append_new(all,
                          json_pack("{s:s, s:I, s:I, s:s, s:s, s:s, s:o, s:s}", "file", at.file, "line",
                                    (json_int_t)from_one(at.line), "column", (json_int_t)from_one(at.column),
                                    "severity", severity, "rule", rule, "title", title, "message", text, "key", key));
    free(message);
}
static const char *known_severity(const json_t *o) {
    const char *s = page_string(o, "severity");
    for (unsigned k = 0; k < NOTE_SEVERITIES; k++)
        if (!strcmp(s, severities[k])) return severities[k];
    return severities[NOTE_ERROR];
}
static struct place site(const json_t *o) {
    return (struct place){page_string(o, "file"), page_integer(o, "line"), page_integer(o, "column")};
}

/* ---- notes of the compiler --------------------------------------------------------------------------------------- */
static void of_compiler(json_t *all, const json_t *record) {
    static const char title[] = "the compiler's message";
    const json_t *build = json_object_get(record, "build");
    const char *file = page_string(record, "submission");
    const bool failed = grade_end_of(record) == END_BUILD;
    size_t k;
    json_t *m;
    if (failed) json_array_foreach(json_object_get(build, "errors"), k, m) {
            const char *note = page_string(m, "note");
            add(all, site(m), known_severity(m), "compiler", title, "%s%s%s%s", page_string(m, "message"),
                *note ? " (" : "", note, *note ? ")" : "");
        }
    if (failed && !json_array_size(all)) /* a record from an earlier version, which lacks this list */
        add(all, (struct place){file, 1, 1}, "error", "compiler", title, "%s", page_string(record, "message"));
    json_array_foreach(json_object_get(build, "warnings"), k, m) {
        const char *note = page_string(m, "note");
        add(all, (struct place){file, page_integer(m, "line"), 1}, "warning", "compiler", title, "%s%s%s%s",
            page_string(m, "message"), *note ? " (" : "", note, *note ? ")" : "");
    }
}

/* ---- notes of the tests ------------------------------------------------------------------------------------------ */
/* Adds each finding once. A finding that probably has the same cause as another finding is dropped if both are on the
 * same line; otherwise, it gets severity "note". */
static void of_findings(json_t *all, const json_t *tests) {
    size_t k, n;
    json_t *t, *f;
    json_array_foreach((json_t *)tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f) {
        const json_t *at = json_object_get(f, "at"), *root = json_object_get(f, "root");
        const bool follows = page_is_listed(tests, f);
        if (page_shown_before(tests, k, f) || (follows && page_integer(root, "line") == page_integer(at, "line")))
            continue;
        char because[60] = "";
        if (follows)
            snprintf(because, sizeof because, " (likely the same cause as line %lld)", page_integer(root, "line"));
        add(all, site(at), follows ? "note" : known_severity(f), page_string(f, "kind"), page_string(f, "title"),
            "%s: %s%s", page_string(f, "title"), page_string(f, "message"), because);
    }
}
/* Returns the line of the submission's first kernel, or 1. Notes without a line get this line. */
static long long kernel_line(const json_t *record) {
    long long line = 1;
    for (const char *s = page_string(record, "text"); *s; line++) {
        const size_t n = strcspn(s, "\n");
        const char *word = memmem(s, n, "__global__", 10), *comment = memmem(s, n, "//", 2);
        if (word && (!comment || comment > word)) return line;
        s += n + (s[n] == '\n');
    }
    return 1;
}
/* Adds checks that failed without a finding, at the line of the fix if one was found. */
static void of_checks(json_t *all, const json_t *record, const json_t *tests) {
    const long long fixed = page_integer(json_object_get(record, "fix"), "line");
    const struct place at = {page_string(record, "submission"), fixed ? fixed : kernel_line(record), 1};
    size_t k;
    json_t *t;
    json_array_foreach((json_t *)tests, k, t) {
        const enum check_status s = check_status_of(t);
        if ((s != STATUS_FAIL && s != STATUS_ERROR) || json_array_size(json_object_get(t, "findings"))) continue;
        add(all, at, "error", page_string(t, "id"), page_string(t, "title"), "%s: %s (%lld of %lld points)",
            page_string(t, "title"), page_string(t, "message"), page_integer(t, "points"),
            page_integer(t, "max_points"));
    }
}
/* Adds the advice of a fix, which begins with its location: "reduce.cu:18: ". */
static void of_fix(json_t *all, const json_t *record) {
    const json_t *fix = json_object_get(record, "fix");
    const char *advice = page_string(record, "advice"), *file = page_string(record, "submission");
    const struct place at = {file, page_integer(fix, "line"), 1};
    char *head = NULL;
    if (!at.line || asprintf(&head, "%s:%lld: ", file, at.line) < 0) return;
    if (!strncmp(advice, head, strlen(head)))
        add(all, at, "note", "fix", "a fix that was tried", "%s", advice + strlen(head));
    free(head);
}
json_t *notes_of(const json_t *record) {
    json_t *all = json_array();
    const json_t *tests = json_object_get(record, "tests");
    if (grade_end_of(record) == END_SETUP) return all;
    of_compiler(all, record);
    of_findings(all, tests);
    of_checks(all, record, tests);
    of_fix(all, record);
    return all;
}
