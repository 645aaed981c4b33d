/* Generates edits that do not depend on the purpose of the code: a different name, number, operator or operand, a
 * different order of evaluation, a different position for a statement. They come after the edits of the other rules,
 * which correct likely mistakes. */
#include "fix/expressions.h"
#include "fix/loops.h"
#include <stdlib.h>
#include <string.h>

enum { SLIP = 1, LIKELY = 3, UNLIKELY = 4, MAX_MOVED = 400, ARITHMETIC = 8, COMPARISON = 6 };
struct general {
    struct edit_list *edits;
    const struct source *source;
    struct names names;
    struct name_list integers; /* at the expression */
    struct expressions all;
    int32_t function;
};
static const char *const builtins[] = {"threadIdx.x", "blockIdx.x", "blockDim.x", "gridDim.x"};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

/* ---- integers ------------------------------------------------------------------------------------------------- */
static bool is_text(const struct source *s, struct range r, const char *text) {
    const uint32_t from = source_begin(s, r);
    return source_end(s, r) - from == strlen(text) && !memcmp(s->text + from, text, strlen(text));
}
static bool is_integer_name(const struct general *g, struct range r) {
    const struct source *s = g->source;
    for (unsigned k = 0; k < BUILTINS; k++)
        if (is_text(s, r, builtins[k])) return true;
    return r.first == r.last && (is_listed(s, r.first, &g->integers) || is_listed(s, r.first, &g->names.constants));
}
/* Returns whether the expression consists only of integers, parentheses and binary arithmetic operators. */
static bool is_integer_expression(const struct general *g, const struct expression *e) {
    const struct expression *x = g->all.item;
    switch (e->kind) {
    case EXPRESSION_NAME: return is_integer_name(g, e->all);
    case EXPRESSION_NUMBER: return !source_has(g->source, e->all, "true");
    case EXPRESSION_GROUP: return e->left >= 0 && is_integer_expression(g, &x[e->left]);
    case EXPRESSION_BINARY:
        return e->level >= ARITHMETIC && e->left >= 0 && e->right >= 0 && is_integer_expression(g, &x[e->left]) &&
               is_integer_expression(g, &x[e->right]);
    default: return false;
    }
}
/* Returns whether the edit would divide a value by itself, subtract it from itself, or compare it with itself. */
static bool is_twin(const struct general *g, const struct expression *e, const char *text) {
    const struct expression *around = e->around < 0 ? NULL : &g->all.item[e->around];
    if (!around || around->kind != EXPRESSION_BINARY || around->left < 0 || around->right < 0) return false;
    const struct expression *left = &g->all.item[around->left], *other = left == e ? &g->all.item[around->right] : left;
    const struct source *s = g->source;
    return is_text(s, other->all, text) && !source_is(s, around->sign, "+") && !source_is(s, around->sign, "*");
}
/* Returns whether the edit would make the lanes leave a loop with a barrier at different times. */
static bool is_uneven(const struct general *g, const struct expression *e, const char *text) {
    const struct source *s = g->source;
    const int32_t self = s->token[e->all.first].statement, loop = self < 0 ? -1 : loop_around(s, self);
    if (loop != self || loop < 0 || !range_holds(s->statement[loop].condition, e->all.first)) return false;
    const bool waits = source_has(s, s->statement[loop].all, "__syncwarp") || source_waits(s, s->statement[loop].all);
    return waits && (!strcmp(text, g->names.thread) || !strcmp(text, g->names.lane) || !strcmp(text, "threadIdx.x"));
}
static void integer(const struct general *g, const struct expression *e, enum fix_cause cause, const char *text) {
    if (is_uneven(g, e, text)) return;
    if (!is_twin(g, e, text)) edit_replace(g->edits, cause, LIKELY, e->all, "%s", text);
}
static void name_or_number(const struct general *g, const struct expression *e) {
    const enum fix_cause cause = cause_at(g->source, e->all.first);
    for (unsigned k = 0; k < g->integers.count; k++) integer(g, e, cause, g->integers.item[k]);
    for (unsigned k = 0; k < BUILTINS; k++) integer(g, e, cause, builtins[k]);
    for (unsigned k = 0; k < g->names.constants.count; k++) integer(g, e, cause, g->names.constants.item[k]);
    if (e->kind == EXPRESSION_NUMBER || e->around < 0 || g->all.item[e->around].level < ARITHMETIC) return;
    char own[NAME_SIZE];
    source_copy(g->source, e->all, own, sizeof own);
    for (unsigned k = 0; k < 2; k++) edit_replace(g->edits, cause, LIKELY, e->all, "(%s %s 1)", own, k ? "-" : "+");
}
/* Adds an operator and an operand to a complete integer expression, such as an index, an argument or a side of a
 * comparison. */
static void longer(const struct general *g, const struct expression *e) {
    static const char *const signs[] = {"+", "-", "*", "/", "%"};
    const enum fix_cause cause = cause_at(g->source, e->all.first);
    char own[EXPRESSION_SIZE];
    source_copy(g->source, e->all, own, sizeof own);
    for (unsigned n = 0; n < sizeof signs / sizeof *signs; n++) {
        const bool group = e->kind == EXPRESSION_BINARY && (n > 1 || e->level < 9);
        const char *open = group ? "(" : "", *close = group ? ")" : "";
        for (unsigned k = 0; k < g->integers.count + BUILTINS + g->names.constants.count + 3; k++) {
            static const char *const numbers[] = {"1", "2", "32"};
            const unsigned b = k - g->integers.count, c = b - BUILTINS, d = c - g->names.constants.count;
            const char *other = k < g->integers.count          ? g->integers.item[k]
                                : b < BUILTINS                 ? builtins[b]
                                : c < g->names.constants.count ? g->names.constants.item[c]
                                                               : numbers[d];
            if (d < 3 && (d > 0) != (n > 1)) continue; /* + 1, - 1, but * 2, / 32 */
            if (!is_uneven(g, e, other))
                edit_replace(g->edits, cause, UNLIKELY, e->all, "%s%s%s %s %s", open, own, close, signs[n], other);
        }
    }
}

/* ---- operators -------------------------------------------------------------------------------------------------- */
/* Evaluates `a op b op c` in the other order. */
static void regrouped(const struct general *g, const struct expression *e) {
    const struct source *s = g->source;
    const struct expression *l = e->left < 0 ? NULL : &g->all.item[e->left],
                            *r = e->right < 0 ? NULL : &g->all.item[e->right];
    if (l && l->kind == EXPRESSION_BINARY && l->right >= 0) { /* (a b) e -> a (b e) */
        const struct range part = {g->all.item[l->right].all.first, e->all.last};
        const bool equal = l->level == e->level && source_is(s, e->sign, "+") && source_is(s, l->sign, "+");
        char own[EXPRESSION_SIZE];
        if (!equal) edit_replace(g->edits, FIX_PRECEDENCE, 1, part, "(%s)", source_copy(s, part, own, sizeof own));
    }
    if (r && r->kind == EXPRESSION_BINARY && r->left >= 0) {
        const struct range part = {e->all.first, g->all.item[r->left].all.last};
        char own[EXPRESSION_SIZE];
        edit_replace(g->edits, FIX_PRECEDENCE, 1, part, "(%s)", source_copy(s, part, own, sizeof own));
    }
    const struct expression *both[] = {l, r};
    for (unsigned k = 0; k < 2; k++) { /* removes parentheses that change the order */
        const struct expression *inner =
            both[k] && both[k]->kind == EXPRESSION_GROUP && both[k]->left >= 0 ? &g->all.item[both[k]->left] : NULL;
        char own[EXPRESSION_SIZE];
        if (inner && inner->kind == EXPRESSION_BINARY && inner->level <= e->level)
            edit_replace(g->edits, FIX_PRECEDENCE, LIKELY, both[k]->all, "%s",
                         source_copy(s, inner->all, own, sizeof own));
    }
}
/* Returns whether a condition on a remainder or a thread becomes the same for all threads with this sign: no unsigned
 * number is below 0. */
static bool is_same_for_all(const struct source *s, int32_t sign, const char *right, const char *now) {
    const bool equals = source_is(s, sign, "==") || source_is(s, sign, "!="), below = *now == '<' || *now == '>';
    return equals && below && !strcmp(right, "0") && strcmp(now, "<=") != 0 && strcmp(now, ">") != 0 &&
           s->statement[s->token[sign].statement].kind == STATEMENT_IF;
}
/* Keeps one operand of && or ||, and reports the other one. */
static void one_condition(const struct general *g, struct range all, struct range kept, struct range dropped) {
    char text[EXPRESSION_SIZE];
    const struct edit_part part = edit_part_of(g->source, all, source_copy(g->source, kept, text, sizeof text));
    edit_add(g->edits, cause_at(g->source, dropped.first), LIKELY, dropped, &part, 1);
}
static void operands(const struct general *g, const struct expression *e) {
    static const char *const arithmetic[] = {"+", "-", "*", "/", "%", NULL}, *const comparisons[] = {"<",  "<=", ">",
                                                                                                     ">=", "==", "!=",
                                                                                                     NULL},
                             *const logic[] = {"&&", "||", NULL}, *const none[] = {NULL};
    const struct source *s = g->source;
    if (e->left < 0 || e->right < 0) return;
    const struct range left = g->all.item[e->left].all, right = g->all.item[e->right].all;
    const enum fix_cause cause = cause_at(s, e->sign);
    char a[EXPRESSION_SIZE], b[EXPRESSION_SIZE];
    source_copy(s, left, a, sizeof a), source_copy(s, right, b, sizeof b);
    const char *const *signs = e->level >= 9            ? arithmetic
                               : e->level == ARITHMETIC ? none
                               : e->level >= COMPARISON ? comparisons
                                                        : logic;
    const bool by_one = !strcmp(b, "1"); /* multiplying by 1 changes nothing */
    for (unsigned k = 0; signs[k] && (k < 2 || !by_one || signs != arithmetic); k++)
        if (!is_same_for_all(s, e->sign, b, signs[k]))
            edit_replace(g->edits, cause, LIKELY, range_of(e->sign), "%s", signs[k]);
    if (e->level <= 2) {
        one_condition(g, e->all, left, right);
        one_condition(g, e->all, right, left);
    }
    if (e->level >= ARITHMETIC) {
        edit_replace(g->edits, cause, LIKELY, e->all, "%s", a);
        edit_replace(g->edits, cause, LIKELY, e->all, "%s", b);
    }
    if (e->level >= COMPARISON)
        edit_replace(g->edits, cause, LIKELY, e->all, "%s %.*s %s", b, (int)s->token[e->sign].length,
                     s->text + s->token[e->sign].at, a);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */
/* Replaces a value with identity() or any other value that the function names: a variable or an array element. */
static void value(const struct general *g, const struct expression *e) {
    const struct source *s = g->source;
    char other[EXPRESSION_SIZE];
    for (unsigned k = 0; k < g->names.values.count; k++)
        edit_replace(g->edits, FIX_VALUE, LIKELY, e->all, "%s", g->names.values.item[k]);
    for (int32_t k = 0; k < g->all.count; k++)
        if (g->all.item[k].kind == EXPRESSION_ELEMENT && is_value(s, &g->names, g->all.item[k].all))
            edit_replace(g->edits, FIX_VALUE, LIKELY, e->all, "%s",
                         source_copy(s, g->all.item[k].all, other, sizeof other));
    edit_replace(g->edits, FIX_IDENTITY, LIKELY, e->all, "identity()");
}
/* Replaces a member, as in `x.value`, with other members of the same variable. */
static void member(const struct general *g, const struct expression *e) {
    char other[EXPRESSION_SIZE];
    for (int32_t k = 0; k < g->all.count; k++) {
        const struct range r = g->all.item[k].all;
        if (g->all.item[k].kind == EXPRESSION_NAME && r.last == e->all.last - e->all.first + r.first &&
            r.last > r.first && source_same(g->source, r.first, e->all.first))
            edit_replace(g->edits, FIX_VALUE, SLIP, e->all, "%s", source_copy(g->source, r, other, sizeof other));
    }
}
static void expression(struct general *g, const struct expression *e) {
    const struct source *s = g->source;
    const struct expression *around = e->around < 0 ? NULL : &g->all.item[e->around];
    const bool stored = around && around->kind == EXPRESSION_ASSIGNMENT && e == &g->all.item[around->left];
    integers_at(s, &g->names, s->token[e->all.first].statement, &g->integers);
    if (stored) return;
    if (e->kind == EXPRESSION_BINARY) regrouped(g, e), operands(g, e);
    if ((e->kind == EXPRESSION_NAME || e->kind == EXPRESSION_NUMBER) && is_integer_expression(g, e))
        name_or_number(g, e);
    const bool whole = !around || around->kind == EXPRESSION_ASSIGNMENT || around->kind == EXPRESSION_CHOICE ||
                       (around->kind == EXPRESSION_BINARY && around->level < ARITHMETIC);
    if (whole && is_integer_expression(g, e)) longer(g, e);
    if (e->kind == EXPRESSION_NAME && e->all.last > e->all.first && !is_integer_name(g, e->all)) member(g, e);
    const bool named = e->kind == EXPRESSION_NAME && e->all.first == e->all.last;
    if ((named && is_listed(s, e->all.first, &g->names.values)) ||
        (e->kind == EXPRESSION_ELEMENT && is_value(s, &g->names, e->all)))
        value(g, e);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */
static bool declares_name(const struct source *s, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (is_declared(s, k)) return true;
    return false;
}
/* Moves a statement to a different position in the function, or inserts a copy of it there. */
static void placed(const struct general *g, int32_t at, uint32_t to, bool behind, bool same_block) {
    const struct source *s = g->source;
    const struct range all = s->statement[at].all;
    const uint32_t from = source_begin(s, all), end = source_end(s, all), low = from < to ? from : to,
                   high = end > to ? end : to;
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 2];
    if (end - from >= sizeof own || high - low > MAX_MOVED || (to >= from && to <= end)) return;
    source_copy(s, all, own, sizeof own);
    snprintf(text, sizeof text, behind ? " %s" : "%s ", own);
    const struct edit_part gone = edit_part_of(s, all, ""), here = {to, 0, text};
    const struct edit_part down[] = {gone, here}, up[] = {here, gone};
    edit_add(g->edits, same_block ? FIX_SEQUENCE : FIX_BRACES, same_block ? LIKELY : UNLIKELY, all,
             to < from ? up : down, 2);
}
static void statement(const struct general *g, int32_t at) {
    const struct source *s = g->source;
    const struct statement *st = &s->statement[at];
    char own[MAX_MOVED];
    if (st->kind == STATEMENT_IF && source_end(s, st->all) - source_begin(s, st->all) < sizeof own) {
        const struct range body = s->statement[st->body].all;
        edit_replace(g->edits, cause_at(s, st->condition.first), LIKELY, (struct range){st->all.first, body.last}, "%s",
                     source_copy(s, body, own, sizeof own));
    }
    if (!source_in_block(s, at) || st->kind == STATEMENT_BLOCK || declares_name(s, st->all)) return;
    edit_replace(g->edits, FIX_SURPLUS, LIKELY, st->all, "%s", "");
    if (st->kind != STATEMENT_PLAIN && st->kind != STATEMENT_IF) return;
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *other = &s->statement[k];
        if (other->function != g->function || k == at || !source_in_block(s, k) || other->kind == STATEMENT_BLOCK)
            continue;
        placed(g, at, source_begin(s, other->all), false, other->parent == st->parent);
        if (source_is(s, other->all.last + 1, "}"))
            placed(g, at, source_end(s, other->all), true, other->parent == st->parent);
    }
    for (int32_t k = 0; k < s->statements; k++) { /* under the condition of another branch */
        const struct statement *other = &s->statement[k];
        if (other->function != g->function || other->kind != STATEMENT_IF || k == at || st->kind != STATEMENT_PLAIN)
            continue;
        char condition[EXPRESSION_SIZE];
        if (source_end(s, st->all) - source_begin(s, st->all) < sizeof own)
            edit_replace(g->edits, FIX_ALL_THREADS, UNLIKELY, st->all, "if (%s) %s",
                         source_copy(s, other->condition, condition, sizeof condition),
                         source_copy(s, st->all, own, sizeof own));
    }
}
void rules_general(struct edit_list *l, int32_t function) {
    struct general *g = malloc(sizeof *g);
    if (!g) return;
    g->edits = l, g->source = l->source, g->function = function;
    names_of(l->source, function, &g->names);
    expressions_of(l->source, function, &g->all);
    for (int32_t k = 0; k < g->all.count; k++) expression(g, &g->all.item[k]);
    for (int32_t k = 0; k < l->source->statements; k++)
        if (l->source->statement[k].function == function) statement(g, k);
    free(g);
}
