/* Generates edits to loads of the input: several loads with one guard, and a first element that is combined twice. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <stdlib.h>
#include <string.h>

/* ---- one guard for several loads -------------------------------------------------------------------------- */
static bool is_load(const struct source *s, const struct names *names, int32_t token) {
    return is_listed(s, token, &names->inputs) && is_array_access(s, token + 1) &&
           !source_is(s, s->token[token + 1].match + 1, "=");
}
/* Returns whether the range loads elements with different indices from the input. */
static bool loads_several(const struct source *s, const struct names *names, struct range r) {
    int32_t first = -1;
    for (int32_t k = r.first; k <= r.last; k++) {
        if (!is_load(s, names, k)) continue;
        const struct range own = {k, s->token[k + 1].match};
        if (first >= 0 && !is_same_text(s, own, (struct range){first, s->token[first + 1].match})) return true;
        if (first < 0) first = k;
    }
    return false;
}
/* Prints the range. Each load gets a guard of its own: if its index is not below the bound, identity() takes its place.
 */
static void put_guarded(FILE *f, const struct source *s, const struct names *names, struct range r, const char *bound) {
    uint32_t at = source_begin(s, r);
    char index[EXPRESSION_SIZE], element[EXPRESSION_SIZE];
    for (int32_t k = r.first; k <= r.last; k++) {
        if (!is_load(s, names, k)) continue;
        const struct range own = {k, s->token[k + 1].match}, inside = {k + 2, own.last - 1};
        const bool begins = source_is(s, k - 1, "=") || source_is(s, k - 1, "(") || source_is(s, k - 1, ","),
                   ends = source_is(s, own.last + 1, ";") || source_is(s, own.last + 1, ")") ||
                          source_is(s, own.last + 1, ","),
                   alone = begins && ends;
        fprintf(f, "%.*s%s%s < %s ? %s : identity()%s", (int)(source_begin(s, own) - at), s->text + at,
                alone ? "" : "(", source_copy(s, inside, index, sizeof index), bound,
                source_copy(s, own, element, sizeof element), alone ? "" : ")");
        at = source_end(s, own), k = own.last;
    }
    fprintf(f, "%.*s", (int)(source_end(s, r) - at), s->text + at);
}
/* Copies the bound of the comparison `i < n` in the range. Returns false if there is none that depends on the thread
 * and on the number of elements. */
static bool bound_in(const struct source *s, struct range r, char out[EXPRESSION_SIZE]) {
    for (int32_t k = r.first; k <= r.last; k++) {
        if (!source_is(s, k, "<")) continue;
        const struct range index = operand_before(s, k), bound = operand_behind(s, k);
        if (range_is_empty(index) || range_is_empty(bound) || !depends_on_the_thread(s, index)) continue;
        if (!(roles_in(s, bound) & ROLE_SIZE)) continue;
        return source_copy(s, bound, out, EXPRESSION_SIZE), true;
    }
    return false;
}
/* Gives each load in the branch its own guard: `if (b < n) { x = in[a]; y = in[b]; }` loses element a if only element b
 * does not exist. */
static void guards_of_branch(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char bound[EXPRESSION_SIZE], *text;
    size_t size;
    if (st->kind != STATEMENT_IF || st->body < 0 || !source_in_block(s, at)) return;
    const struct range body = s->statement[st->body].all;
    const bool block = s->statement[st->body].kind == STATEMENT_BLOCK;
    if (!loads_several(s, names, body)) return;
    if (!bound_in(s, st->condition, bound)) return;
    const uint32_t line = edit_line_begin(s->text, source_begin(s, st->all));
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    for (int32_t k = block ? st->body + 1 : st->body, first = k; k >= 0; k = block ? source_next(s, k) : -1) {
        if (k > first) fprintf(f, "\n%.*s", (int)strspn(s->text + line, " \t"), s->text + line);
        put_guarded(f, s, names, s->statement[k].all, bound);
    }
    fclose(f);
    const struct edit_part part = edit_part_of(s, st->all, text);
    edit_add(l, FIX_ONE_GUARD, 1, (struct range){st->all.first, st->condition.last + 1}, &part, 1);
    free(text);
}
/* Does the same as guards_of_branch() for a conditional expression whose guard covers several loads. */
static void guards_of_choice(struct edit_list *l, const struct names *names, int32_t mark) {
    const struct source *s = l->source;
    const struct range test = operand_before(s, mark);
    int32_t op = test.first - 1, colon = mark + 1;
    while (colon < s->tokens && !source_is(s, colon, ":") && !source_is(s, colon, ";"))
        colon = s->token[colon].match > colon ? s->token[colon].match + 1 : colon + 1;
    if (range_is_empty(test) || !source_is(s, op, "<") || colon >= s->tokens || !source_is(s, colon, ":")) return;
    const struct range value = {mark + 1, colon - 1}, other = operand_behind(s, colon);
    struct range whole = {operand_before(s, op).first, other.last};
    char bound[EXPRESSION_SIZE], *text;
    size_t size;
    while (source_is(s, whole.first - 1, "&&")) whole.first = operand_before(s, whole.first - 1).first;
    if (range_is_empty(other) || !loads_several(s, names, value)) return;
    if (!bound_in(s, (struct range){whole.first, mark - 1}, bound)) return;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    put_guarded(f, s, names, value, bound);
    fclose(f);
    const struct edit_part part = edit_part_of(s, whole, text);
    edit_add(l, FIX_ONE_GUARD, 1, (struct range){whole.first, mark - 1}, &part, 1);
    free(text);
}

/* ---- the first element ------------------------------------------------------------------------------------ */
/* Removes `if (i < n) x = in[i];` before a loop that combines x with all elements from i on. */
static void first_twice(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t next = source_next(s, at);
    if (st->kind != STATEMENT_IF || st->body < 0 || next < 0 || loop_around(s, next) != next) return;
    const bool block = s->statement[st->body].kind == STATEMENT_BLOCK;
    const int32_t only = st->body + block;
    if (only >= s->statements || s->statement[only].all.last + block != st->all.last) return;
    const struct range all = s->statement[only].all, loop = s->statement[next].all;
    const int32_t x = all.first;
    if (!is_listed(s, x, &names->values) || !source_is(s, x + 1, "=") || !is_load(s, names, x + 2)) return;
    bool combined = false;
    for (int32_t k = loop.first; k < loop.last; k++) combined |= source_same(s, k, x);
    const struct edit_part part = edit_part_of(s, st->all, "");
    if (combined) edit_add(l, FIX_INITIAL_VALUE, 1, (struct range){x, all.last - 1}, &part, 1);
}
void rules_loads(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function) guards_of_branch(l, &names, k), first_twice(l, &names, k);
    for (int32_t k = body.first; k < body.last; k++)
        if (source_is(s, k, "?")) guards_of_choice(l, &names, k);
}
