#include "fix/choices.h"
#include "fix/names.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COPIED = 1500 /* maximum size of a statement, in bytes: each edit contains a copy of it */, MAX_DEPTH = 64 };

/* A place in the file where one of several edits, or the original text, is selected at run time. */
enum place_kind {
    BETWEEN, /* an empty place between statements, where an edit inserts its text */
    VALUE,
    CONDITION,
    ACTION, /* an expression whose value is unused */
    STATEMENTS,
    BODY /* a function's body: also compiled without edits, so that a run with an edit elsewhere costs little */
};
struct place {
    enum place_kind kind;
    uint32_t from, to;
    int32_t name;               /* VALUE: the variable's name */
    unsigned edit, part, parts; /* parts: number of the edit's parts that change this place; part: the first of them */
    bool second;                /* this is the second place of an edit with two */
};

/* ---- places ------------------------------------------------------------------------------------------------- */
static bool is_effective(const struct edit_part *p) { return p->removed || *p->text; }
static bool is_statements(const char *text) {
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1])) n--;
    return n && (text[n - 1] == ';' || text[n - 1] == '}');
}
static bool is_between(const struct source *s, uint32_t at) {
    for (int32_t k = 0; k < s->statements; k++) {
        const struct range all = s->statement[k].all;
        if (source_in_block(s, k) && (source_begin(s, all) == at || source_end(s, all) == at)) return true;
        if (s->statement[k].kind == STATEMENT_BLOCK && source_begin(s, all) + 1 == at) return true;
    }
    return false;
}
static bool covers(const struct source *s, struct range r, uint32_t from, uint32_t to) {
    return r.last >= r.first && source_begin(s, r) <= from && to <= source_end(s, r);
}
static bool declares(const struct source *s, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++) {
        if (is_declared(s, k)) return true;
        if (s->token[k].match > k) k = s->token[k].match;
    }
    return source_is(s, r.first, "enum") || source_is(s, r.first, "extern") || source_is(s, r.first, "asm");
}
static struct place place_of(const struct source *s, enum place_kind kind, struct range r) {
    return (struct place){.kind = kind, .from = source_begin(s, r), .to = source_end(s, r), .name = -1};
}
/* Finds the initializer in a declaration that contains these bytes. */
static bool find_value(const struct source *s, struct range r, uint32_t from, uint32_t to, struct place *out) {
    static const char *const fixed[] = {"constexpr", "static", "auto", "__shared__", "enum"};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        if (source_has(s, r, fixed[k])) return false;
    for (int32_t k = r.first; k < r.last; k++) {
        if (source_is(s, k, "=") && !source_is(s, k + 1, "{")) {
            int32_t end = k + 1;
            while (end <= r.last && !source_is(s, end, ",") && !source_is(s, end, ";"))
                end = s->token[end].match > end ? s->token[end].match + 1 : end + 1;
            const struct range value = {k + 1, end - 1};
            if (covers(s, value, from, to)) {
                *out = place_of(s, VALUE, value), out->name = k - 1;
                return s->token[k - 1].kind == TOKEN_NAME;
            }
        }
        if (s->token[k].match > k) k = s->token[k].match;
    }
    return false;
}
static bool find_in_head(const struct source *s, const struct statement *st, uint32_t from, uint32_t to,
                         struct place *out) {
    if (covers(s, st->condition, from, to) && !declares(s, st->condition))
        return *out = place_of(s, CONDITION, st->condition), true;
    if (st->kind != STATEMENT_FOR) return false;
    if (covers(s, st->step, from, to)) return *out = place_of(s, ACTION, st->step), true;
    if (!covers(s, st->begin, from, to)) return false;
    if (declares(s, st->begin)) return find_value(s, st->begin, from, to, out);
    return *out = place_of(s, ACTION, st->begin), true;
}
/* Finds the statements of a compound statement that contain these bytes, up to the nearest declarations. Such runs of
 * statements do not overlap, so two places are always nested or disjoint. */
static bool find_row(const struct source *s, int32_t block, uint32_t from, uint32_t to, struct place *out) {
    struct range row = {0, -1};
    for (int32_t k = block + 1; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->parent != block) continue;
        const bool ends = st->kind == STATEMENT_PLAIN && declares(s, st->all);
        if (ends && covers(s, row, from, to)) break;
        if (ends)
            row = (struct range){0, -1};
        else
            row = (struct range){row.last < row.first ? st->all.first : row.first, st->all.last};
    }
    if (!covers(s, row, from, to)) return false;
    *out = place_of(s, STATEMENTS, row);
    return true;
}
/* Returns whether the edited text ends with a complete statement. An edit may also turn `if (a) return;` into `if
 * (!(a))`. */
static bool is_whole(const struct edit *e, uint32_t to) {
    for (unsigned k = 0; k < e->parts; k++) {
        const struct edit_part *p = &e->part[k];
        if (is_effective(p) && p->at + p->removed == to && *p->text && !is_statements(p->text)) return false;
    }
    return true;
}
/* Returns whether the edit inserts a statement before or after the body of a branch or loop that has no braces. The
 * inserted statement is not a part of the body. */
static bool adds_beside_body(const struct source *s, const struct edit *e, int32_t at) {
    const struct range all = s->statement[at].all;
    if (s->statement[at].parent < 0 || source_in_block(s, at)) return false;
    for (unsigned k = 0; k < e->parts; k++) {
        const struct edit_part *p = &e->part[k];
        const bool beside = !p->removed && (p->at == source_begin(s, all) || p->at == source_end(s, all));
        int open = 0; /* unmatched braces enclose the body, so the statement is a part of it */
        for (const char *c = p->text; *c; c++) open += (*c == '{') - (*c == '}');
        if (beside && is_statements(p->text) && !open) return true;
    }
    return false;
}
static bool find_place(const struct source *s, const struct edit *e, struct place *out) {
    uint32_t from = UINT32_MAX, to = 0;
    const struct edit_part *only = NULL;
    unsigned parts = 0;
    for (unsigned k = 0; k < e->parts; k++) {
        const struct edit_part *p = &e->part[k];
        if (!is_effective(p)) continue;
        only = p, parts++;
        if (p->at < from) from = p->at;
        if (p->at + p->removed > to) to = p->at + p->removed;
    }
    if (parts == 1 && !only->removed && is_statements(only->text) && is_between(s, from))
        return *out = (struct place){.kind = BETWEEN, .from = from, .to = from, .name = -1}, true;
    int32_t at = -1;
    for (int32_t k = 0; k < s->statements; k++)
        if (covers(s, s->statement[k].all, from, to) && !adds_beside_body(s, e, k))
            at = k; /* inner statements have higher indices */
    if (at < 0) return false;
    const struct statement *st = &s->statement[at];
    if (st->kind == STATEMENT_PLAIN && declares(s, st->all)) return find_value(s, st->all, from, to, out);
    if (st->kind == STATEMENT_BLOCK) return find_row(s, at, from, to, out) && is_whole(e, out->to);
    if (st->kind != STATEMENT_PLAIN && st->kind != STATEMENT_RETURN && find_in_head(s, st, from, to, out)) return true;
    if (parts == 1 && !*only->text && source_begin(s, st->all) == from && source_end(s, st->all) == to &&
        !source_in_block(s, at)) { /* without its body, a loop or branch would apply to the next statement */
        while (!source_in_block(s, at) && s->statement[at].parent >= 0) at = s->statement[at].parent;
        return s->statement[at].parent >= 0 && find_row(s, s->statement[at].parent, from, to, out) && out->to > to;
    }
    *out = place_of(s, STATEMENTS, st->all);
    return is_whole(e, out->to) ||
           (source_in_block(s, at) && find_row(s, st->parent, from, to, out) && is_whole(e, out->to));
}
static bool is_same(const struct place *a, const struct place *b) {
    return a->from == b->from && a->to == b->to && a->kind == b->kind;
}
/* Finds the place of some of the edit's parts. One of them must change the text. */
static bool find_place_of(const struct source *s, const struct edit *e, unsigned part, unsigned parts,
                          struct place *out) {
    struct edit some = *e;
    bool any = false;
    memcpy(some.part, e->part + part, parts * sizeof *some.part);
    some.parts = parts;
    for (unsigned k = 0; k < parts; k++) any |= is_effective(&some.part[k]);
    if (!any || !find_place(s, &some, out) || out->to - out->from > MAX_COPIED) return false;
    out->part = part, out->parts = parts;
    return true;
}
/* Finds the edit's place, or two disjoint places that together contain the edit. Returns their number, or 0 if there
 * are none. */
static unsigned find_places(const struct source *s, const struct edit *e, unsigned most, struct place out[2]) {
    if (find_place_of(s, e, 0, e->parts, out)) return 1;
    for (unsigned k = 1; most > 1 && k < e->parts; k++)
        if (find_place_of(s, e, 0, k, &out[0]) && find_place_of(s, e, k, e->parts - k, &out[1]) &&
            out[0].to <= out[1].from && !is_same(&out[0], &out[1]))
            return out[1].second = true, 2;
    return 0;
}
/* Orders places by their beginning, and outer ones first. A place between statements comes before the statement that
 * begins there. */
static int by_place(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if ((x->kind == BETWEEN) != (y->kind == BETWEEN)) return x->kind == BETWEEN ? -1 : 1;
    if (x->to != y->to) return x->to > y->to ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->edit < y->edit ? -1 : x->edit > y->edit;
}

/* ---- writing ------------------------------------------------------------------------------------------------ */
struct writer {
    FILE *f;
    const struct source *source;
    const char *text;
    struct edit *const *edit;
    struct place *place;
    unsigned *number, last; /* last: the number assigned last to an edit */
    bool two;               /* two edits may be selected together */
};
/* Writes an expression for the number of the edit selected at a place whose edits have `count` numbers from `least`. If
 * an edit at a different place is selected, the expression has a value outside these numbers. */
static void write_number(const struct writer *w, unsigned least, unsigned count) {
    if (w->two)
        fprintf(w->f,
                "(" CHOICES_VARIABLE " %% 65536u - %uu < %uu ? " CHOICES_VARIABLE " %% 65536u : " CHOICES_VARIABLE
                " / 65536u)",
                least, count);
    else
        fputs(CHOICES_VARIABLE, w->f);
}
/* Writes a part of the text. Prevents the compiler from unrolling loops, because each copy of a body would contain all
 * edits. */
static void write_text(const struct writer *w, uint32_t from, uint32_t to) {
    const struct source *s = w->source;
    for (int32_t k = 0; k < s->statements; k++) {
        const enum statement_kind kind = s->statement[k].kind;
        const uint32_t at = source_begin(s, s->statement[k].all);
        const bool loop = kind == STATEMENT_FOR || kind == STATEMENT_WHILE || kind == STATEMENT_DO;
        if (!loop || at < from || at >= to) continue;
        fwrite(w->text + from, 1, at - from, w->f);
        fputs("_Pragma(\"unroll 1\") ", w->f);
        from = at;
    }
    fwrite(w->text + from, 1, to - from, w->f);
}
static void write_line(const struct writer *w, uint32_t at, const char *file) {
    fprintf(w->f, "\n#line %u \"%sreduce.cu\"\n", source_line_at(w->text, at), file);
}
/* Writes the edited text of a place. */
static void write_edited(const struct writer *w, const struct place *p) {
    const struct edit *e = w->edit[p->edit];
    uint32_t at = p->from;
    for (unsigned k = p->part; k < p->part + p->parts; k++) {
        if (!is_effective(&e->part[k])) continue;
        write_text(w, at, e->part[k].at);
        fputs(e->part[k].text, w->f);
        at = e->part[k].at + e->part[k].removed;
    }
    write_text(w, at, p->to);
}
static void write_within(struct writer *w, uint32_t from, uint32_t to, unsigned first, unsigned end);
/* Writes a place as a choice between its original text and the text of each edit. The original runs if no edit of the
 * place is selected. */
static void write_place(struct writer *w, unsigned first, unsigned same, unsigned end) {
    const struct place p = w->place[first];
    const bool statements = p.kind == BETWEEN || p.kind == STATEMENTS;
    const unsigned count = same - first, least = w->last + 1;
    /* A value is cast to its variable's type, because its edits may have different types. */
    char type[80];
    const struct token *name = p.name < 0 ? NULL : &w->source->token[p.name];
    if (p.kind == VALUE)
        snprintf(type, sizeof type, "(decltype(%.*s))(", (int)name->length, w->text + name->at);
    else
        strcpy(type, p.kind == CONDITION ? "(bool)(" : "(void)(");
    w->last += count;
    fputs(statements ? "{ if (" : "(", w->f);
    write_number(w, least, count);
    fprintf(w->f, " - %uu >= %uu%s%s", least, count, statements ? ") {" : " ? ", statements ? "" : type);
    write_line(w, p.from, "");
    write_within(w, p.from, p.to, same, end);
    for (unsigned k = 0; k < count; k++) {
        const unsigned edit = w->place[first + k].edit;
        char file[32];
        snprintf(file, sizeof file, "fix%u/", edit);
        w->number[edit] |= (least + k) << (w->place[first + k].second ? 16 : 0);
        fputs(statements ? "}" : ") :", w->f);
        write_line(w, p.from, file);
        if (statements || k + 1 < count) { /* the last value needs no condition */
            fputs(statements ? "else if (" : "", w->f);
            write_number(w, least, count);
            fprintf(w->f, " == %uu%s", least + k, statements ? ") {" : " ? ");
        }
        if (!statements) fputs(type, w->f);
        write_edited(w, &w->place[first + k]);
        fputc('\n', w->f);
    }
    fputs(statements ? "} }" : "))", w->f);
    write_line(w, p.to, "");
}
static void write_body(struct writer *w, const struct place *p, unsigned first, unsigned end) {
    fputs(" if (", w->f);
    write_number(w, w->last + 1, end - first);
    fprintf(w->f, " - %uu >= %uu) {", w->last + 1, end - first);
    write_line(w, p->from, "");
    write_text(w, p->from, p->to);
    fputs("} else {", w->f);
    write_line(w, p->from, "");
    write_within(w, p->from, p->to, first, end);
    fputs("}", w->f);
    write_line(w, p->to, "");
}
static void write_within(struct writer *w, uint32_t from, uint32_t to, unsigned first, unsigned end) {
    uint32_t at = from;
    for (unsigned k = first, same, inside; k < end; k = inside) {
        const struct place *p = &w->place[k];
        for (same = k + 1; same < end && is_same(p, &w->place[same]);) same++;
        for (inside = same; inside < end && w->place[inside].from < p->to;) inside++;
        write_text(w, at, p->from);
        if (p->kind == BODY)
            write_body(w, p, same, inside);
        else
            write_place(w, k, same, inside);
        at = p->to;
    }
    write_text(w, at, to);
}
/* Removes places that overlap others without being nested. Returns how many remain. */
static unsigned nested(struct place *p, unsigned count) {
    uint32_t end[MAX_DEPTH];
    unsigned depth = 0, kept = 0;
    for (unsigned k = 0; k < count; k++) {
        while (depth && end[depth - 1] <= p[k].from) depth--;
        if (depth == MAX_DEPTH || (depth && p[k].to > end[depth - 1])) continue;
        if (p[k].kind != BETWEEN && !(kept && is_same(&p[kept - 1], &p[k]))) end[depth++] = p[k].to;
        p[kept++] = p[k];
    }
    return kept;
}
bool choices_write(FILE *f, const struct source *s, const char *text, struct edit *const edit[], unsigned count,
                   const bool wanted[], bool pairs, unsigned number[]) {
    struct place *places = calloc(2 * (size_t)count + (size_t)s->functions + 1, sizeof *places);
    bool *halved = calloc(count + 1, sizeof *halved); /* whether the edit has two places */
    bool two = pairs;
    unsigned found = 0;
    memset(number, 0, count * sizeof *number);
    for (unsigned k = 0; places && halved && k < count; k++) {
        const unsigned n = wanted[k] ? find_places(s, edit[k], pairs ? 1 : 2, &places[found]) : 0;
        for (unsigned i = 0; i < n; i++) places[found++].edit = k;
        two |= halved[k] = n == 2;
    }
    for (int32_t k = 0; found && k < s->functions; k++) {
        const struct range body = s->statement[s->function[k].body].all;
        if (source_has(s, body, "goto")) continue; /* a label cannot be copied */
        places[found++] =
            (struct place){.kind = BODY, .from = source_begin(s, body) + 1, .to = source_end(s, body) - 1, .name = -1};
    }
    if (found) {
        qsort(places, found, sizeof *places, by_place);
        struct writer w = {f, s, text, edit, places, number, 0, two};
        fprintf(f,
                "namespace " CHOICES_SPACE " {\n__constant__ unsigned " CHOICES_VARIABLE ";\n#line 1 \"reduce.cu\"\n");
        write_within(&w, 0, (uint32_t)strlen(text), 0, nested(places, found));
        fputs("\n}\n", f);
    }
    for (unsigned k = 0; halved && k < count; k++) /* nested() may have removed one of the two places */
        if (halved[k] && !(number[k] % (1u << 16) && number[k] >> 16)) number[k] = 0;
    free(places), free(halved);
    return found;
}
