/* Generates edits of consecutive loops with the same header, such as one that loads the remaining vectors and one that
 * combines them: both need the same guard. */
#include "fix/loops.h"

/* Returns the first statement of a loop's body, or -1. */
static int32_t first_in(const struct source *s, int32_t loop) {
    const int32_t body = s->statement[loop].body;
    if (body < 0 || s->statement[body].kind != STATEMENT_BLOCK) return body;
    return body + 1 < s->statements && s->statement[body + 1].parent == body ? body + 1 : -1;
}
/* Returns the guard that the statement begins with: a whole `if (c) break;`, or the `if (c)` before another statement.
 * Returns an empty range if there is none. */
static struct range guard_of(const struct source *s, int32_t at) {
    const struct statement *st = at < 0 ? NULL : &s->statement[at];
    if (!st || st->kind != STATEMENT_IF || source_has(s, st->all, "else")) return (struct range){0, -1};
    const int32_t body = s->statement[st->body].all.first;
    const bool leaves = source_is(s, body, "break") || source_is(s, body, "continue");
    return leaves ? st->all : (struct range){st->all.first, st->condition.last + 1};
}
static struct range header_of(const struct source *s, int32_t loop) {
    const int32_t body = s->statement[loop].body;
    return body < 0 ? (struct range){0, -1}
                    : (struct range){s->statement[loop].all.first, s->statement[body].all.first - 1};
}
/* Gives the loop `to` the guard of the loop `from`. */
static void same_guard(struct edit_list *l, int32_t from, int32_t to) {
    const struct source *s = l->source;
    const int32_t first = first_in(s, to), given = first_in(s, from);
    const struct range guard = guard_of(s, given), own = guard_of(s, first);
    char text[EXPRESSION_SIZE], statement[4 * EXPRESSION_SIZE];
    if (first < 0 || range_is_empty(guard)) return;
    if (!range_is_empty(own)) { /* correct the condition */
        const struct range condition = s->statement[given].condition;
        edit_replace(l, FIX_GUARD, 1, s->statement[first].condition, "%s",
                     source_copy(s, condition, text, sizeof text));
        return;
    }
    const struct range all = s->statement[first].all;
    const bool braces = source_is(s, guard.last, ";") && s->statement[to].body == first;
    source_copy(s, guard, text, sizeof text);
    if (braces)
        edit_replace(l, FIX_NO_GUARD, 1, all, "{ %s %s }", text, source_copy(s, all, statement, sizeof statement));
    else
        edit_insert(l, FIX_NO_GUARD, 1, all.first, all, "%s ", text);
}
void rules_guards(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    for (int32_t a = 0; a < s->statements; a++) {
        const struct statement *first = &s->statement[a];
        if (first->function != function || first->kind != STATEMENT_FOR) continue;
        for (int32_t b = source_next(s, a); b >= 0; b = source_next(s, b)) {
            const struct statement *other = &s->statement[b];
            if (other->kind == STATEMENT_FOR && is_same_text(s, header_of(s, a), header_of(s, b)))
                same_guard(l, a, b), same_guard(l, b, a);
        }
    }
}
