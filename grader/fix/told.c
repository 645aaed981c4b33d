/* Describes a fix for the record: its line, what it means, its diff, and what it changes. */
#include "fix/loops.h"
#include "fix/search.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Sets *from and *to to the first and the last token that the part replaces. Tokens at either end that the old and the
 * new text share do not count. Returns false if the part replaces none. */
static bool replaced(const struct source *s, const struct edit_part *p, int32_t *from, int32_t *to) {
    const size_t length = strlen(p->text);
    size_t begin = 0, end = 0;
    *from = 0, *to = -1;
    for (int32_t k = 0; k < s->tokens && s->token[k].at < p->at + p->removed; k++) {
        if (s->token[k].at < p->at) continue;
        if (*to < 0) *from = k;
        *to = k;
    }
    for (; *from <= *to; ++*from) {
        const struct token *t = &s->token[*from];
        begin += strspn(p->text + begin, " \n\t");
        if (begin + t->length > length || strncmp(p->text + begin, s->text + t->at, t->length) != 0) break;
        if (is_word(p->text[begin + t->length]) && is_word(p->text[begin + t->length - 1])) break;
        begin += t->length;
    }
    for (; *to > *from; --*to) {
        const struct token *t = &s->token[*to];
        while (end < length && isspace((unsigned char)p->text[length - 1 - end])) end++;
        if (begin + end + t->length > length) break;
        const char *at = p->text + length - end - t->length;
        if (strncmp(at, s->text + t->at, t->length) != 0 || (at > p->text && is_word(at[-1]) && is_word(*at))) break;
        end += t->length;
    }
    return *from <= *to;
}
/* Returns the tokens from the first to the last one that the edit replaces, or an empty range if one of its parts only
 * inserts text. */
static struct range changed(const struct source *s, const struct edit *e) {
    struct range r = {INT32_MAX, -1};
    for (unsigned k = 0; k < e->parts; k++) {
        int32_t from, to;
        if (!e->part[k].removed && !*e->part[k].text) continue;
        if (!replaced(s, &e->part[k], &from, &to)) return (struct range){0, -1};
        if (from < r.first) r.first = from;
        if (to > r.last) r.last = to;
    }
    return r;
}
/* Returns the statement that contains the first and the last token of the range, or -1. */
static int32_t statement_of(const struct source *s, struct range r) {
    const int32_t at = range_is_empty(r) ? -1 : s->token[r.first].statement;
    return at >= 0 && s->token[r.last].statement == at ? at : -1;
}
/* Returns the tokens to quote: the edit's, or the replaced ones if they are in another statement. */
static struct range to_quote(const struct source *s, const struct edit *e) {
    const struct range r = changed(s, e);
    const int32_t at = statement_of(s, r);
    return at >= 0 && s->statement[at].kind == STATEMENT_PLAIN && s->token[e->quoted.first].statement != at ? r
                                                                                                            : e->quoted;
}
/* Returns whether the token is in the arguments of a call of a function that the file defines, but not in an index. */
static bool is_argument(const struct source *s, struct range all, int32_t token) {
    for (int32_t k = token; k > all.first; k--)
        if (source_is(s, k, "[") && s->token[k].match > token)
            return false;
        else if (source_is(s, k, "(") && s->token[k].match > token && function_called(s, k - 1) >= 0)
            return true;
    return false;
}
static bool has_atomic(const struct source *s, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (source_is_atomic(s, k)) return true;
    return false;
}
/* Returns whether the range calls a function of the file, but contains no shuffle or barrier itself. */
static bool only_calls(const struct source *s, struct range r) {
    bool calls = false;
    for (int32_t k = r.first; k <= r.last; k++) {
        const char *name = s->text + s->token[k].at;
        if (s->token[k].kind != TOKEN_NAME) continue;
        if (!strncmp(name, "__shfl", 6) || !strncmp(name, "__sync", 6)) return false;
        calls |= source_is(s, k + 1, "(") && function_called(s, k) >= 0;
    }
    return calls;
}
/* Returns the cause whose words fit the code that the edit changes: a statement without a loop, for example, does not
 * end a loop too early. */
static enum fix_cause fitting(const struct source *s, const struct edit *e, struct range changed) {
    const int32_t at = s->token[e->quoted.first].statement;
    if (at < 0) return e->cause;
    const struct statement *st = &s->statement[at];
    const bool simple = st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN;
    switch (e->cause) {
    case FIX_INDEX:
    case FIX_LOOP_START:
    case FIX_LOOP_BOUND:
    case FIX_LOOP_STEP:
        return simple && !range_is_empty(changed) && is_argument(s, st->all, changed.first) ? FIX_ARGUMENT : e->cause;
    case FIX_SHUFFLE_IN_BRANCH:
    case FIX_BARRIER_IN_BRANCH: return simple && only_calls(s, e->quoted) ? FIX_CALL_IN_BRANCH : e->cause;
    case FIX_ONE_BLOCK: return has_atomic(s, st->all) ? FIX_ONE_ADDS : e->cause;
    case FIX_COMBINE:
        return e->function >= 0 && source_is(s, s->function[e->function].name.first, "combine") ? FIX_OPERAND
                                                                                                : e->cause;
    default: return e->cause;
    }
}
/* Returns whether a finding is about shared memory, or says that threads wait for others, or shuffle, in vain. */
static bool needs_others(const struct finding_list *l) {
    static const char *const kinds[] = {"barrier", "deadlock", "sync", "shuffle", "cluster", "active-mask"};
    for (unsigned f = 0; f < l->count; f++) {
        if (!strncmp(l->item[f].object, "shared", 6)) return true;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (l->item[f].kind->severity == FINDING_ERROR &&
                !strncmp(l->item[f].kind->key, kinds[k], strlen(kinds[k])))
                return true;
    }
    return false;
}
/* Returns the cause to report. An edit of several parts of a loop's header shows that the parts do not fit together. */
static enum fix_cause cause_of(const struct source *s, const struct edit *e) {
    static const enum fix_cause parts[] = {FIX_LOOP_START, FIX_LOOP_BOUND, FIX_LOOP_STEP};
    const struct range r = changed(s, e);
    const int32_t at = statement_of(s, r);
    const struct statement *st = at < 0 ? NULL : &s->statement[at];
    for (unsigned k = 0; st && st->kind == STATEMENT_FOR && k < 3; k++)
        if (e->cause == parts[k] && r.first <= st->begin.last && r.last >= st->step.first) return FIX_LOOP_HEADER;
    return fitting(s, e, r);
}
/* If the statement declares or sets several names, separated by commas, returns the part that contains all of `inner`.
 * Only the first part includes the type. Returns the statement if there is no such part. */
static struct range declarator_of(const struct source *s, struct range all, struct range inner) {
    int32_t first = all.first;
    for (int32_t k = all.first; k <= all.last && !range_is_empty(inner); k++) {
        if (s->token[k].match > k) k = s->token[k].match;
        if (!source_is(s, k, ",") && !source_is(s, k, ";")) continue;
        if (inner.first >= first && inner.last < k) return (struct range){first, k - 1};
        first = k + 1;
    }
    return all;
}
/* Copies the part of the statement that the report quotes, without comments and on one line. */
static char *quoted(const struct source *s, const struct edit *e, char *out, size_t size) {
    struct range r = to_quote(s, e);
    const int32_t self = s->token[r.first].statement;
    if (cause_of(s, e) == FIX_LOOP_HEADER) r = range_of(s->statement[self].all.first);
    if (self >= 0) {
        const struct statement *st = &s->statement[self];
        const struct range parts[] = {st->begin, st->condition, st->step};
        for (unsigned k = 0; k < 3; k++)
            if (st->kind != STATEMENT_PLAIN && r.first >= parts[k].first && r.last <= parts[k].last) r = parts[k];
        if (st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN) r = declarator_of(s, st->all, changed(s, e));
    }
    if (source_is(s, r.first, "for") && s->token[r.first + 1].match > r.first) r.last = s->token[r.first + 1].match;
    if (source_is(s, r.last, ";")) r.last--;
    if (range_is_empty(r) && self >= 0 &&
        s->statement[self].parent >= 0) { /* an empty body: quote the statement that contains it */
        const struct statement *around = &s->statement[s->statement[self].parent];
        const bool heads = !range_is_empty(around->condition) && around->kind != STATEMENT_BLOCK;
        r = heads ? (struct range){around->all.first, around->condition.last + 1} : range_of(r.first);
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
/* Returns the tokens that the edit replaces. If it only inserts text, returns an empty range that begins at the token
 * after the insertion. */
static struct range place_of(const struct source *s, const struct edit *e) {
    const struct range r = changed(s, e);
    int32_t from, to;
    if (!range_is_empty(r) || e->parts != 1 || replaced(s, e->part, &from, &to)) return r;
    while (from < s->tokens && s->token[from].at < e->part->at) from++;
    return (struct range){from, from - 1};
}
/* If the edit's only change is in the index of an array element, such as a[i + 1], returns the element. Otherwise
 * returns an empty range. */
static struct range element_of(const struct source *s, const struct edit *e) {
    const struct range r = place_of(s, e);
    for (int32_t k = r.first; k > 1; k--)
        if (source_is(s, k, "[") && s->token[k].match > r.last && s->token[k - 1].kind == TOKEN_NAME && k < r.first)
            return (struct range){k - 1, s->token[k].match};
        else if (source_is(s, k, ";") || source_is(s, k, "{"))
            break;
    return (struct range){0, -1};
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
/* Returns whether the edit changes text outside its function, such as a macro, which may affect other functions. */
static bool is_global(const struct source *s, const struct edit *e) {
    if (e->function < 0) return true;
    const uint32_t name = s->token[s->function[e->function].name.first].at;
    for (unsigned k = 0; k < e->parts; k++) {
        const uint32_t at = e->part[k].at;
        if (at < name && memchr(s->text + at, '\n', name - at)) return true; /* on a line above the function's name */
    }
    return false;
}
/* Returns the most severe finding in another kernel that does not call the changed function, as "FILE:LINE: title".
 * Returns NULL if there is none. */
static json_t *elsewhere(const struct search *x, const struct edit *e) {
    size_t k, n;
    json_t *t, *f, *worst = NULL;
    if (is_global(&x->source, e)) return NULL;
    json_array_foreach((json_t *)x->tests, k, t) json_array_foreach(json_object_get(t, "findings"), n, f) {
        const char *severity = json_string_value(json_object_get(f, "severity")),
                   *of = json_string_value(json_object_get(f, "case"));
        char kernel[80];
        if (!of || !severity || strcmp(severity, finding_severity_word(FINDING_ERROR)) != 0) continue;
        snprintf(kernel, sizeof kernel, "%.*s", (int)strcspn(of, "/:"), of); /* as in reduce:host/sum_i32/... */
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
/* Returns 1 if the edit only adds the = of <= or >=, -1 if it only removes it, otherwise 0. */
static int adds_equality(const struct source *s, const struct edit *e) {
    const struct edit_part *p = e->part;
    const char *old = s->text + p->at;
    const size_t length = strlen(p->text);
    size_t same = 0;
    while (same < length && same < p->removed && old[same] == p->text[same]) same++;
    const bool after_sign = p->at + same > 0 && (old[same - 1] == '<' || old[same - 1] == '>');
    if (e->parts != 1 || !after_sign) return 0;
    const char *rest = p->text + same;
    if (length == p->removed + 1 && *rest == '=' && !strncmp(rest + 1, old + same, length - same - 1)) return 1;
    return length + 1 == p->removed && old[same] == '=' && !strncmp(rest, old + same + 1, length - same) ? -1 : 0;
}
/* Returns whether the edit only replaces the index of the thread after `==` with 0, as in `tid == blockDim.x - 1`. */
static bool selects_first(const struct source *s, const struct edit *e) {
    const struct range r = changed(s, e);
    const char *text = e->part->text;
    const size_t length = strlen(text);
    const int32_t of = r.first - 2,
                  before = source_is(s, of, "x") && source_is(s, of - 2, "threadIdx") ? of - 3 : of - 1;
    struct names names;
    if (e->parts != 1 || e->function < 0 || range_is_empty(r) || !source_is(s, r.first - 1, "==")) return false;
    names_of(s, e->function, &names);
    const bool thread = before == of - 3 || source_is(s, of, names.thread),
               whole = source_is(s, before, "(") || source_is(s, before, "&&");
    const bool zero = !strcmp(text, "0") || (length > 4 && !strcmp(text + length - 4, "== 0"));
    return zero && thread && whole;
}
/* Returns the cause's meaning in more exact words, if the edit shows that a condition is true once too often or once
 * too seldom, otherwise NULL. */
static const char *exact_meaning(const struct source *s, const struct edit *e, enum fix_cause cause) {
    static const struct {
        enum fix_cause cause;
        int adds; /* adds_equality() */
        const char *meaning;
    } rows[] = {{FIX_LOOP_BOUND, 1, "`%s` ends the loop one iteration too early"},
                {FIX_LOOP_BOUND, -1, "`%s` lets the loop execute one iteration too many"},
                {FIX_WHICH_THREADS, 1, "the condition `%s` leaves out one thread"},
                {FIX_WHICH_THREADS, -1, "the condition `%s` selects one thread too many"},
                {FIX_GUARD, 1, "the guard in `%s` leaves out one element"},
                {FIX_GUARD, -1, "the guard in `%s` admits one element too many"}};
    const int adds = adds_equality(s, e);
    const struct range r = changed(s, e);
    const int32_t at = statement_of(s, r);
    const struct statement *st = at < 0 ? NULL : &s->statement[at];
    /* A condition with >, or one that guards a return, such as `if (i >= n) return;`, is true for what it excludes. */
    const bool leaves = st && st->body >= 0 && s->statement[st->body].kind == STATEMENT_RETURN,
               less = s->text[source_begin(s, r)] == '<', loops = st && loop_around(s, at) == at;
    if (cause == FIX_IDENTITY && source_is(s, e->quoted.first, "if") && strstr(e->part->text, ": identity()"))
        return "`%s` stores nothing where no element exists, so an earlier value remains there";
    if (cause == FIX_WHICH_THREADS && selects_first(s, e))
        return "the condition `%s` does not select thread 0, which should do this work";
    if (cause == FIX_LOOP_BOUND && loops && e->parts == 1 && !strncmp(e->part->text, "2 * ", 4) &&
        source_is(s, r.first - 1, "<"))
        return "`%s` ends the loop too early";
    for (size_t k = 0; st && k < sizeof rows / sizeof *rows; k++)
        if (rows[k].cause == cause && rows[k].adds == adds && (cause == FIX_LOOP_BOUND ? loops : less && !leaves))
            return rows[k].meaning;
    return NULL;
}
/* Returns the name that gets its value from the text that the edit changes, as in `warps = blockDim.x / 16;`. Returns
 * -1 if there is none, or if the value contains an array element. */
static int32_t name_set_by(const struct source *s, const struct edit *e) {
    const struct range r = place_of(s, e);
    const int32_t at = statement_of(s, range_is_empty(r) ? range_of(r.first) : r);
    if (at < 0 || s->statement[at].kind != STATEMENT_PLAIN) return -1;
    const struct range all = s->statement[at].all;
    int32_t equals = all.first;
    while (equals < r.first && !source_is(s, equals, "=")) equals++;
    const bool is_value = equals > all.first && equals < r.first && s->token[equals - 1].kind == TOKEN_NAME;
    return is_value && !source_has(s, (struct range){equals, all.last}, "[") &&
                   !source_has(s, (struct range){equals, all.last}, ",")
               ? equals - 1
               : -1;
}
/* Returns the statement before which the edit inserts a store to an array element, or -1. */
static int32_t store_is_before(const struct source *s, const struct edit *e) {
    const char *to = strstr(e->part->text, "] = ");
    const int32_t self = s->token[e->quoted.first].statement, next = self < 0 ? -1 : source_next(s, self);
    if (e->cause != FIX_NOT_WRITTEN || e->parts != 1 || e->part->removed || !to) return -1;
    if (self >= 0 && e->part->at == source_begin(s, s->statement[self].all)) return self;
    if (next < 0) return -1;
    return e->part->at >= source_end(s, e->quoted) && e->part->at <= source_begin(s, s->statement[next].all) ? next
                                                                                                             : -1;
}
/* Writes which store, such as one to `s[t]`, is missing before statement `next`. */
static char *missing_store(const struct source *s, const struct edit *e, int32_t next, char out[MEANING_SIZE]) {
    const char *to = strstr(e->part->text, "] = ") + 1, *from = to;
    const int32_t first = s->statement[next].all.first, close = s->token[first + 1].match;
    const bool head = s->statement[next].kind != STATEMENT_PLAIN && close > first;
    char quote[120];
    while (from > e->part->text && from[-1] != '[') from--;
    from -= from > e->part->text;
    while (from > e->part->text && is_word(from[-1])) from--;
    source_copy(s, (struct range){first, head ? close : s->statement[next].all.last - 1}, quote, sizeof quote);
    quote[strcspn(quote, "\n")] = 0;
    const uint32_t begin = source_begin(s, s->statement[next].all);
    const bool used = memmem(s->text + begin, source_end(s, s->statement[next].all) - begin, from, (size_t)(to - from));
    snprintf(out, MEANING_SIZE, "before `%s`, a store to `%.*s` is missing, so %s", quote, (int)(to - from), from,
             used ? "it has no value yet" : "the value is never written");
    return out;
}
static char *meaning(const struct source *s, const struct edit *e, enum fix_cause cause, char out[MEANING_SIZE]) {
    char quote[120] = "", name[NAME_SIZE];
    const int32_t next = store_is_before(s, e);
    if (next >= 0) return missing_store(s, e, next, out);
    const char *exact = exact_meaning(s, e, cause);
    const struct range element = cause == FIX_INDEX ? element_of(s, e) : (struct range){0, -1};
    const int32_t set = cause == FIX_INDEX ? name_set_by(s, e) : -1;
    if (!range_is_empty(element) && source_end(s, element) - source_begin(s, element) < sizeof quote)
        snprintf(out, MEANING_SIZE, "the index of `%s` is wrong", source_copy(s, element, quote, sizeof quote));
    else if (set >= 0)
        snprintf(out, MEANING_SIZE, "`%s` gives `%s` the wrong value", quoted(s, e, quote, sizeof quote),
                 source_copy(s, range_of(set), name, sizeof name));
    else
        snprintf(out, MEANING_SIZE, exact ? exact : fix_causes[cause].meaning, quoted(s, e, quote, sizeof quote));
    return out;
}
char *fix_meaning(const struct source *s, const struct edit *e, char out[MEANING_SIZE]) {
    return meaning(s, e, cause_of(s, e), out);
}
static char *never_ends(const struct source *s, const struct edit *e, char out[MEANING_SIZE]) {
    char quote[120] = "";
    snprintf(out, MEANING_SIZE,
             adds_equality(s, e) < 0 ? "`%s` is always true, so the loop never ends"
                                     : "`%s` does not end the loop where it must end",
             quoted(s, e, quote, sizeof quote));
    return out;
}
/* Returns whether the line that the edit changes accesses an element that does not exist, although most results for n >
 * 0 are correct. The line then does so only for n = 0, where the input has no first element. */
static bool reads_nothing(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                          unsigned run) {
    unsigned right = 0, filled = 0;
    bool outside = false;
    for (unsigned k = 0; k < run; k++)
        filled += t->cases[k].n > 0, right += t->cases[k].n && before->is_result_right[k];
    for (unsigned k = 0; k < before->findings.count; k++)
        outside |=
            before->findings.item[k].at.line == e->line && !strcmp(before->findings.item[k].kind->key, "out-of-bounds");
    return 2 * right > filled && outside;
}
json_t *fix_record(const struct search *x, const struct trial *t, const struct edit *e,
                   const struct trial_outcome *before, const struct trial_outcome *now) {
    char text[MEANING_SIZE];
    const struct source *s = t->source;
    enum fix_cause cause = cause_of(s, e);
    unsigned wrong = 0; /* number of wrong cases among the cases that ran with the edit */
    for (unsigned k = 0; k < now->run && !t->strict; k++) wrong += !before->is_right[k];
    if (cause == FIX_INITIAL_VALUE && reads_nothing(t, e, before, now->run)) cause = FIX_FIRST_ELEMENT;
    if (cause == FIX_EARLY_END && before->shows & SHOWS_UNWRITTEN && !needs_others(&before->findings))
        cause = FIX_RETURNS;
    const struct fix_cause_words *words = &fix_causes[cause];
    /* `stride >= 0` is always true. */
    const bool endless = cause == FIX_LOOP_BOUND && before->shows & SHOWS_ENDLESS &&
                         (adds_equality(s, e) < 0 || !exact_meaning(s, e, cause));
    const int32_t next = store_is_before(s, e);
    const int line = (int)(next < 0 ? e->line : s->token[s->statement[next].all.first].line);
    json_t *out =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i}", "line", line, "cause", words->key, "meaning",
                  endless ? never_ends(s, e, text) : meaning(s, e, cause, text), "idea", words->idea, "diff",
                  edit_diff_lines(s, e), "wrong", (int)wrong, "left", (int)(t->strict ? 0 : now->run - now->right),
                  "cases", (int)now->run, "tried", (int)x->tried);
    json_object_set_new(out, "findings", gone(&before->findings, &now->findings, t->strict));
    json_object_set_new(out, "at", json_integer(edit_first_line(s, e)));
    json_object_set_new(out, "unlikely", json_boolean(e->cost > 1)); /* search() removes this member */
    json_t *other = elsewhere(x, e);
    if (other) json_object_set_new(out, "remains", other);
    return out;
}
