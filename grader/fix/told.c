/* Describes a fix for the record: its line, what it means, its diff, and what it changes. */
#include "fix/search.h"
#include <stdlib.h>
#include <string.h>

/* Copies the part of the statement that the report quotes, on one line and without comments. */
static char *quoted(const struct source *s, const struct edit *e, char *out, size_t size) {
    const int32_t self = s->token[e->quoted.first].statement;
    struct range r = e->quoted;
    if (self >= 0) {
        const struct statement *st = &s->statement[self];
        const struct range parts[] = {st->begin, st->condition, st->step};
        for (unsigned k = 0; k < 3; k++)
            if (st->kind != STATEMENT_PLAIN && r.first >= parts[k].first && r.last <= parts[k].last) r = parts[k];
        if (st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN) r = st->all;
    }
    if (source_is(s, r.first, "for") && s->token[r.first + 1].match > r.first) r.last = s->token[r.first + 1].match;
    if (source_is(s, r.last, ";")) r.last--;
    if (range_is_empty(r) && self >= 0 &&
        s->statement[self].parent >= 0) { /* an empty body: quote the statement that contains it */
        const struct statement *around = &s->statement[s->statement[self].parent];
        const bool heads = !range_is_empty(around->condition) && around->kind != STATEMENT_BLOCK;
        r = heads ? (struct range){around->all.first, around->condition.last + 1} : range_of(e->quoted.first);
    }
    size_t n = 0;
    int32_t k = r.first;
    for (; k <= r.last && s->token[k].line == s->token[r.first].line; k++) {
        const struct token *t = &s->token[k];
        const bool gap = k > r.first && t->at > s->token[k - 1].at + s->token[k - 1].length;
        if (n + t->length + 2 < size)
            n += (size_t)snprintf(out + n, size - n, "%s%.*s", gap ? " " : "", (int)t->length, s->text + t->at);
    }
    if (k <= r.last && n + sizeof " ..." <= size) snprintf(out + n, size - n, " ...");
    return out;
}
/* Lists the errors that the edit removes or, if `strict`, the warnings. */
static json_t *gone(const struct finding_list *before, const struct finding_list *now, bool strict) {
    const enum finding_severity severity = strict ? FINDING_WARNING : FINDING_ERROR;
    json_t *list = json_array();
    for (unsigned k = 0; k < before->count; k++) {
        const struct finding *f = &before->item[k];
        if (f->kind->severity == severity && !finding_is_in(now, f))
            json_array_append_new(list, json_pack("{s:s, s:i}", "kind", f->kind->key, "line", (int)f->at.line));
    }
    return list;
}
/* Returns whether the edit changes text outside its function, such as a macro, which may affect all functions. */
static bool is_global(const struct source *s, const struct edit *e) {
    if (e->function < 0) return true;
    const uint32_t name = s->token[s->function[e->function].name.first].at;
    for (unsigned k = 0; k < e->parts; k++) {
        const uint32_t at = e->part[k].at;
        if (at < name && memchr(s->text + at, '\n', name - at)) return true; /* on a line above the function's name */
    }
    return false;
}
/* Returns the most severe finding in another kernel, which does not call the function that the edit changes, as
 * "FILE:LINE: title". Returns NULL if there is none. */
static json_t *elsewhere(const struct search *x, const struct edit *e) {
    size_t k, n;
    json_t *t, *f, *worst = NULL;
    if (is_global(&x->source, e)) return NULL;
    json_array_foreach((json_t *)x->tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f) {
        const char *severity = json_string_value(json_object_get(f, "severity")),
                   *of = json_string_value(json_object_get(f, "case"));
        char kernel[80];
        if (!of || !severity || strcmp(severity, finding_severity_word(FINDING_ERROR)) != 0) continue;
        snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(of, "/"), of);
        if (!strcmp(kernel, x->kernel) || source_reaches(&x->source, kernel, e->function)) continue;
        if (!worst ||
            json_integer_value(json_object_get(f, "rank")) < json_integer_value(json_object_get(worst, "rank")))
            worst = f;
    }
    const json_t *at = json_object_get(worst, "at");
    return !worst ? NULL
                  : json_sprintf("%s:%d: %s", json_string_value(json_object_get(at, "file")),
                                 (int)json_integer_value(json_object_get(at, "line")),
                                 json_string_value(json_object_get(worst, "title")));
}
json_t *fix_record(const struct search *x, const struct trial *t, const struct edit *e,
                   const struct trial_outcome *before, const struct trial_outcome *now) {
    char quote[120] = "", text[600];
    const struct source *s = t->source;
    unsigned wrong = 0; /* number of wrong cases among the cases that ran with the edit */
    for (unsigned k = 0; k < now->run && !t->strict; k++) wrong += !before->is_right[k];
    snprintf(text, sizeof text, fix_causes[e->cause].meaning, quoted(s, e, quote, sizeof quote));
    json_t *out = json_pack(
        "{s:i, s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i}", "line", (int)e->line, "cause", fix_causes[e->cause].key,
        "meaning", text, "idea", fix_causes[e->cause].idea, "diff", edit_diff_lines(s, e), "wrong", (int)wrong, "left",
        (int)(t->strict ? 0 : now->run - now->right), "cases", (int)now->run, "tried", (int)x->tried);
    json_object_set_new(out, "findings", gone(&before->findings, &now->findings, t->strict));
    json_object_set_new(out, "at", json_integer(edit_first_line(s, e)));
    json_t *other = elsewhere(x, e);
    if (other) json_object_set_new(out, "remains", other);
    return out;
}
