/* Adds advice to the record: what the student should do first. Also adds the source lines that findings and counts
 * refer to. See judge.h. */
#include "judge/judge.h"
#include <stdio.h>
#include <string.h>

/* Prints the first TODO left in the file, with its line. If `length` is not 0, considers only TODOs that contain the
 * first `length` bytes of `what`. Returns false if there is none. */
static bool first_todo(const char *source, const char *what, size_t length, char *out, size_t size) {
    unsigned line = 1;
    for (const char *s = source; *s; line++) {
        const size_t n = strcspn(s, "\n");
        const char *todo = memmem(s, n, "TODO ", 5);
        if (todo && (!length || memmem(todo, (size_t)(s + n - todo), what, length))) {
            const int rest = (int)(s + n - todo);
            snprintf(out, size, "line %u: %.*s", line, rest > 160 ? 160 : rest, todo);
            return true;
        }
        s += n + (s[n] == '\n');
    }
    return false;
}
/* Returns the most severe finding of all tests, or NULL. */
static json_t *gravest(json_t *tests) {
    json_t *best = NULL, *t, *f;
    size_t k, n;
    json_array_foreach(tests, k, t)
        json_array_foreach(json_object_get(t, "findings"), n,
                           f) if (!best || json_integer_value(json_object_get(f, "rank")) <
                                               json_integer_value(json_object_get(best, "rank"))) best = f;
    return best;
}
json_t *judge_first_failure(json_t *tests) {
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) {
        const enum check_status status = check_status_of(t);
        if (status != STATUS_PASS && status != STATUS_SKIPPED) return t;
    }
    return NULL;
}
/* Finds the TODO that the student should do first. If no check has points, this is the first TODO of the file. If an
 * output is never written, it is the first TODO that mentions the output; if none does, the first TODO of the file.
 * Otherwise, returns false, because students may leave a TODO comment above finished code. */
static bool find_todo(const struct judge *j, const json_t *first, bool nothing_works, char *out, size_t size) {
    const char *source = j->student.text.source_text, *message = json_string_value(json_object_get(first, "message")),
               *never = strstr(message, "[0] was never written"), *name = never;
    if (nothing_works) return first_todo(source, "", 0, out, size);
    if (!strstr(message, "never written")) return false;
    while (name && name > message && name[-1] != ' ') name--;
    return (never && first_todo(source, name, (size_t)(never - name), out, size)) ||
           first_todo(source, "", 0, out, size);
}
/* Returns whether no test has points. */
static bool has_no_points(json_t *tests) {
    size_t k;
    json_t *t;
    json_array_foreach(tests, k, t) if (json_integer_value(json_object_get(t, "points"))) return false;
    return true;
}
/* Returns the compiler's warning that a function may end without returning a value, or NULL. Such an end explains wrong
 * results, and the findings that follow from them. */
static const json_t *missing_return(const json_t *record) {
    const json_t *warnings = json_object_get(json_object_get(record, "build"), "warnings");
    for (size_t k = 0; k < json_array_size(warnings); k++) {
        const json_t *w = json_array_get(warnings, k);
        const char *said = json_string_value(json_object_get(w, "message"));
        const bool lacks = strstr(said, "missing return statement") || strstr(said, "does not return");
        if (lacks && json_object_get(w, "note")) return w;
    }
    return NULL;
}
/* Prints a test's message. A ratio needs the test's title before it, because only the title says what is compared. */
static void tell_message(const struct judge *j, const json_t *test, char *out, size_t size) {
    const char *id = json_string_value(json_object_get(test, "id")),
               *message = json_string_value(json_object_get(test, "message")), *title = "";
    for (unsigned k = 0; k < j->lab->check_count; k++)
        if (!strcmp(j->lab->checks[k].id, id) && j->lab->checks[k].kind->ratio) title = j->lab->checks[k].title;
    snprintf(out, size, "%s%s%s", title, *title ? ": " : "", message);
}
void judge_advise(json_t *record, const struct judge *j, json_t *tests) {
    char text[1000] = "", todo[200];
    json_t *t = judge_first_failure(tests), *f = gravest(tests), *at = json_object_get(f, "at");
    const bool todo_left =
        t && !j->options->solution && find_todo(j, t, has_no_points(tests) && !judge_is_replay(j), todo, sizeof todo);
    const char *severity = json_string_value(json_object_get(f, "severity"));
    const json_t *warning = !todo_left && json_object_get(t, "wrong") ? missing_return(record) : NULL;
    if (warning)
        snprintf(text, sizeof text, "%s:%lld: %s; %s", j->options->shown,
                 (long long)json_integer_value(json_object_get(warning, "line")),
                 json_string_value(json_object_get(warning, "message")),
                 json_string_value(json_object_get(warning, "note")));
    else if (f && (!t || !strcmp(severity, finding_severity_word(FINDING_ERROR))))
        snprintf(text, sizeof text, "%s:%lld: %s: %s", json_string_value(json_object_get(at, "file")),
                 (long long)json_integer_value(json_object_get(at, "line")),
                 json_string_value(json_object_get(f, "title")), json_string_value(json_object_get(f, "message")));
    else if (todo_left)
        snprintf(text, sizeof text, "%s, %s", j->options->shown, todo);
    else if (t)
        tell_message(j, t, text, sizeof text);
    json_object_set_new(record, "advice", json_string(text));
}

/* Adds the source line that a finding refers to, as {"reduce.cu:21": "text"}, so that reports need not read the
 * file. */
static void quote_line(json_t *quotes, const struct judge *j, json_t *site) {
    const char *file = json_string_value(json_object_get(site, "file"));
    const json_int_t line = json_integer_value(json_object_get(site, "line"));
    char key[300], text[200];
    if (!file || strcmp(file, j->options->shown) || line < 1) return;
    const char *s = j->student.text.source_text;
    for (json_int_t k = 1; k < line && *s; k++) s += strcspn(s, "\n"), s += *s == '\n';
    size_t n = strcspn(s, "\r\n"), out = 0;
    for (size_t k = 0; k < n && out + 1 < sizeof text; k++)
        text[out++] = s[k] == '\t' ? ' ' : (unsigned char)s[k] < ' ' || (unsigned char)s[k] > 126 ? '?' : s[k];
    text[out] = 0;
    snprintf(key, sizeof key, "%s:%lld", file, (long long)line);
    json_object_set_new(quotes, key, json_string(text));
}
void judge_quote(json_t *record, const struct judge *j, json_t *tests) {
    json_t *quotes = json_object(), *t, *f, *l;
    size_t k, n;
    json_array_foreach(tests, k, t) {
        json_array_foreach(json_object_get(t, "findings"), n, f) {
            quote_line(quotes, j, json_object_get(f, "at"));
            quote_line(quotes, j, json_object_get(f, "other"));
        }
        json_array_foreach(json_object_get(json_object_get(t, "student"), "lines"), n, l) {
            json_t *site = json_pack("{s:s, s:O}", "file", j->options->shown, "line", json_object_get(l, "line"));
            quote_line(quotes, j, site);
            json_decref(site);
        }
    }
    json_object_set_new(record, "source", quotes);
}
