/* Groups findings that have the same cause. In the record, they refer to the most severe finding of the group, its
 * root. See judge.h. */
#include "judge/judge.h"
#include <stdlib.h>
#include <string.h>

static bool is_error(const json_t *f) {
    const char *severity = json_string_value(json_object_get(f, "severity"));
    return !severity || !strcmp(severity, finding_severity_word(FINDING_ERROR));
}
size_t judge_count_errors(const json_t *findings) {
    size_t k, n = 0;
    json_t *f;
    json_array_foreach(findings, k, f) n += is_error(f);
    return n;
}
/* Copies an array's name without an offset. If an input begins 3 elements after a multiple of 256 bytes, messages call
 * it "buffer `(in-3)`"; this becomes "buffer `in`". Otherwise, the number of causes would depend on which cases had the
 * findings. */
static void array_of(const json_t *object, char *out, size_t size) {
    size_t n = 0;
    for (const char *s = json_string_value(object); s && *s && n + 1 < size; s++) {
        const size_t digits = *s == '-' ? strspn(s + 1, "0123456789") : 0;
        if (digits && s[1 + digits] == ')')
            s += digits + 1;
        else if (*s != '(')
            out[n++] = *s;
    }
    out[n] = 0;
}
static bool same_array(const json_t *a, const json_t *b) {
    char x[100], y[100];
    array_of(a, x, sizeof x), array_of(b, y, sizeof y);
    return !strcmp(x, y);
}
/* Returns whether two errors have the same cause: they are in the same kernel, and they concern the same array. If they
 * concern no array, they must be of the same kind. */
static bool same_cause(const json_t *a, const json_t *b) {
    const char *x = json_string_value(json_object_get(a, "case")), *y = json_string_value(json_object_get(b, "case"));
    const json_t *of = json_object_get(a, "object");
    const size_t kernel = strcspn(x, "/");
    return kernel == strcspn(y, "/") && !strncmp(x, y, kernel) &&
           (of ? json_object_get(b, "object") && same_array(of, json_object_get(b, "object"))
               : !json_object_get(b, "object") && json_equal(json_object_get(a, "kind"), json_object_get(b, "kind")));
}
/* Returns the number of causes. It is at least 1, because a failed check has a cause even without findings. */
unsigned judge_count_causes(const json_t *findings) {
    const size_t errors = judge_count_errors(findings);
    unsigned causes = 0;
    for (size_t k = 0; k < errors; k++) {
        bool known = false;
        for (size_t n = 0; n < k; n++) known |= same_cause(json_array_get(findings, k), json_array_get(findings, n));
        causes += !known;
    }
    return causes ? causes : 1;
}

/* ---- in the record -------------------------------------------------------------------------- */
static const json_t *line_of(const json_t *f) { return json_object_get(json_object_get(f, "at"), "line"); }
static bool is_at(const json_t *f, const json_t *kind, const json_t *line) {
    return json_equal(json_object_get(f, "kind"), kind) && json_equal(line_of(f), line);
}
/* Returns whether the verified fix removes the finding. */
static bool is_gone(const json_t *fix, const json_t *f) {
    size_t k;
    const json_t *g;
    json_array_foreach(json_object_get(fix, "findings"), k,
                       g) if (is_at(f, json_object_get(g, "kind"), json_object_get(g, "line"))) return true;
    return false;
}
static json_t *errors_of(json_t *tests) {
    json_t *all = json_array(), *t, *f;
    size_t k, n;
    json_array_foreach(tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f) if (is_error(f))
        json_array_append(all, f);
    return all;
}
void judge_group(json_t *record) {
    json_t *all = errors_of(json_object_get(record, "tests"));
    const json_t *fix = json_object_get(record, "fix");
    const bool two =
        json_object_get(fix, "second"); /* the fix corrects two mistakes: any finding may be due to either */
    const size_t count = json_array_size(all);
    size_t *cause = calloc(count + 1, sizeof *cause);
    for (size_t k = 0; cause && k < count; k++) cause[k] = k;
    for (size_t k = 0; cause && k < count; k++)
        for (size_t n = 0; n < k; n++) {
            const json_t *a = json_array_get(all, k), *b = json_array_get(all, n);
            const size_t from = cause[k], to = cause[n];
            const bool gone = is_gone(fix, a), both = gone && !two && is_gone(fix, b), one = gone != is_gone(fix, b);
            if (from == to || one || (!same_cause(a, b) && !both)) continue;
            for (size_t i = 0; i < count; i++)
                if (cause[i] == from) cause[i] = to;
        }
    for (size_t k = 0; cause && k < count; k++) {
        json_t *f = json_array_get(all, k), *root = NULL;
        for (size_t n = 0; n < count; n++) {
            json_t *g = json_array_get(all, n);
            if (cause[n] == cause[k] && (!root || json_integer_value(json_object_get(g, "rank")) <
                                                      json_integer_value(json_object_get(root, "rank"))))
                root = g;
        }
        if (!is_at(f, json_object_get(root, "kind"), line_of(root)))
            json_object_set_new(f, "root",
                                json_pack("{s:O, s:O}", "kind", json_object_get(root, "kind"), "line", line_of(root)));
    }
    free(cause);
    json_decref(all);
}
