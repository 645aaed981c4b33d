/* Generates edits that correct one mistake in several places: a wrong name in a guard and in the guarded index, a
 * missing start of the block's elements, a macro's number or barrier, or an enumerator. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the function sets the integer to a number that depends on the block's index. */
static bool is_of_block(const struct source *s, int32_t function, const char *name) {
    const struct range body = body_of(s, function);
    for (int32_t k = body.first; k < body.last; k++)
        if (source_is(s, k, name)) return roles_in(s, range_of(k)) & ROLE_BLOCK;
    return false;
}

/* ---- a whole statement ------------------------------------------------------------------------------------------ */
/* Replaces an integer in a statement that contains it twice, such as the thread's index in `if (threadIdx.x < head) sum
 * = combine(sum, in[threadIdx.x]);`. Also multiplies the integer by each constant of the file, such as the width of a
 * vector. */
static void in_statement(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const bool built_in = source_is(s, at, "threadIdx");
    const struct range old = {at, built_in ? at + 2 : at};
    int32_t self = s->token[at].statement;
    const int32_t above = self < 0 ? -1 : s->statement[self].parent;
    if (above >= 0 && s->statement[above].kind == STATEMENT_IF) self = above;
    char text[4 * EXPRESSION_SIZE], product[2 * NAME_SIZE + 4], own[NAME_SIZE];
    struct name_list all;
    integers_at(s, names, self, &all);
    if (self < 0 || !(built_in || is_listed(s, at, &all))) return;
    const struct range whole = s->statement[self].all;
    const struct range quoted = s->statement[self].kind == STATEMENT_IF
                                    ? (struct range){whole.first, s->statement[self].condition.last + 1}
                                    : whole;
    const uint32_t from = source_begin(s, whole), length = source_end(s, whole) - from;
    if (s->statement[self].kind != STATEMENT_IF && s->statement[self].kind != STATEMENT_PLAIN) return;
    for (unsigned k = 0; k < all.count; k++)
        if (renamed(s, whole, old, all.item[k], text, sizeof text) > 1)
            edit_add(l, FIX_INDEX, 2, quoted, &(struct edit_part){from, length, text}, 1);
    source_copy(s, old, own, sizeof own);
    for (unsigned k = 0; k < names->constants.count && !built_in; k++) {
        snprintf(product, sizeof product, "%s * %s", own, names->constants.item[k]);
        if (renamed(s, whole, old, product, text, sizeof text) > 1)
            edit_add(l, FIX_INDEX, 2, quoted, &(struct edit_part){from, length, text}, 1);
    }
}
/* Returns the first statement of a block, or the statement itself. */
static struct range inner_of(const struct source *s, int32_t body) {
    const bool block =
        s->statement[body].kind == STATEMENT_BLOCK && body + 1 < s->statements && s->statement[body + 1].parent == body;
    return s->statement[body + block].all;
}
/* Adds the start of the block's elements, an integer that depends on the block's index. It is added to each index of
 * `if (t < stride && t + stride < n) x[t] = combine(x[t], x[t + stride]);`. If `guards`, it is also added to the guard.
 */
static void base_of_block(struct edit_list *l, const struct names *names, int32_t at, bool guards) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->kind != STATEMENT_IF || !*names->thread) return;
    for (unsigned c = 0; c < names->counts.count; c++) {
        char text[6 * EXPRESSION_SIZE] = "";
        size_t used = 0;
        unsigned count = 0;
        struct range index = {0, -1};
        for (int32_t k = st->all.first; k <= st->all.last && used < sizeof text; k++) {
            const struct token *t = &s->token[k];
            const uint32_t gap = k > st->all.first ? t->at - s->token[k - 1].at - s->token[k - 1].length : 0;
            if (is_array_access(s, k) && !source_is(s, k - 1, names->shared)) index = (struct range){k, t->match};
            const bool guard = guards && range_holds(st->condition, k) &&
                               (is_comparison(s, k + 1) || source_is(s, k + 1, "+")) &&
                               roles_in(s, conjunct_of(s, st->condition, k)) & ROLE_SIZE;
            const bool base = source_is(s, k, names->thread) && (range_holds(index, k) || guard);
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%.*s%s%s%.*s", (int)gap, s->text + t->at - gap,
                                 base ? names->counts.item[c] : "", base ? " + " : "", (int)t->length, s->text + t->at);
            count += base;
        }
        const struct edit_part part = edit_part_of(s, st->all, text);
        if (count > 1 && used < sizeof text && is_of_block(s, st->function, names->counts.item[c]))
            edit_add(l, FIX_BLOCK_MISSING, 2,
                     guards ? (struct range){st->all.first, st->condition.last + 1} : inner_of(s, st->body), &part, 1);
    }
}

/* ---- macros --------------------------------------------------------------------------------------------------- */
/* Returns the text behind the name in the macro's definition, or NULL if the token names no macro. */
static const char *definition_of(const struct source *s, int32_t use) {
    const struct token *name = &s->token[use];
    for (const char *line = s->text; line; line = strchr(line, '\n'), line += line != NULL) {
        const char *at = line + strspn(line, " \t#");
        if (at == line || strncmp(at, "define ", 7) != 0) continue;
        at += 7, at += strspn(at, " \t");
        if (!strncmp(at, s->text + name->at, name->length) && !is_word(at[name->length])) return at + name->length;
    }
    return NULL;
}
/* Changes the number of a macro. Reports quote the macro where the function uses it. */
static void number_of_macro(struct edit_list *l, int32_t use, const char *at) {
    const struct source *s = l->source;
    if (!isspace((unsigned char)*at)) return;
    at += strspn(at, " \t(");
    char *end;
    const unsigned long value = strtoul(at, &end, 0);
    if (end == at) return;
    const bool mask = !strncmp(at, "0x", 2);
    const unsigned long others[] = {mask ? 0xffffffff : 2 * value, value / 2, value + 1, value - 1};
    for (unsigned k = 0; k < (mask ? 1 : 4); k++) {
        char text[24];
        snprintf(text, sizeof text, mask ? "0x%lx" : "%lu", others[k]);
        edit_add(l, mask ? FIX_MASK : cause_at(s, use), mask ? 0 : 2, range_of(use),
                 &(struct edit_part){(uint32_t)(at - s->text), (uint32_t)(end - at), text}, 1);
    }
}
/* Removes the condition of a barrier from a macro with parameters, such as `if ((n) > 32) __syncthreads();`. */
static void barrier_of_macro(struct edit_list *l, int32_t use, const char *at) {
    const struct source *s = l->source;
    const char *end = at + strcspn(at, "\n"), *barrier = memmem(at, (size_t)(end - at), "__syncthreads", 13);
    const char *from = barrier && *at == '(' ? memmem(at, (size_t)(barrier - at), "if (", 4) : NULL, *to = from;
    unsigned depth = 0;
    for (; from && to < barrier && (depth || to == from || to[-1] != ')'); to++) depth += (*to == '(') - (*to == ')');
    if (from && to + strspn(to, " ") == barrier)
        edit_add(l, FIX_BARRIER_SKIPPED, 0, s->statement[s->token[use].statement].all,
                 &(struct edit_part){(uint32_t)(from - s->text), (uint32_t)(barrier - from), (char *)""}, 1);
}
static void macro(struct edit_list *l, int32_t use) {
    const char *at = definition_of(l->source, use);
    if (at) number_of_macro(l, use, at), barrier_of_macro(l, use, at);
}
/* ---- enumerators ---------------------------------------------------------------------------------------------- */
/* Replaces X in `Name::X` with the other enumerators of the file's `enum class Name`. */
static void enumerator(struct edit_list *l, int32_t name) {
    const struct source *s = l->source;
    const int32_t used = name + 2;
    char other[NAME_SIZE];
    for (int32_t k = 1; k < name && source_is(s, name + 1, "::"); k++) {
        const bool defines = source_is(s, k - 1, "enum") || (k > 1 && source_is(s, k - 2, "enum"));
        if (!defines || !source_same(s, k, name) || !source_is(s, k + 1, "{")) continue;
        for (int32_t n = k + 2; n < s->token[k + 1].match; n++)
            if ((source_is(s, n - 1, "{") || source_is(s, n - 1, ",")) && !source_same(s, n, used))
                edit_replace(l, FIX_ARGUMENT, 1, range_of(used), "%s",
                             source_copy(s, range_of(n), other, sizeof other));
    }
}
void rules_repeated(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function) base_of_block(l, &names, k, false), base_of_block(l, &names, k, true);
    for (int32_t k = body.first + 1; k < body.last; k++)
        if (s->token[k].kind == TOKEN_NAME) in_statement(l, &names, k), macro(l, k), enumerator(l, k);
}
