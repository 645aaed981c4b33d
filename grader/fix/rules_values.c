/* Generates edits to assignments of values: to what they assign, and to whether combine() applies the operator. */
#include "fix/loops.h"
#include <string.h>

/* Returns whether the function declares the value but never reads it. */
static bool is_unread(const struct source *s, struct range body, const char *value) {
    unsigned uses = 0, declared = 0;
    for (int32_t k = body.first; k < body.last; k++)
        if (source_is(s, k, value) && !source_is(s, k - 1, ".")) uses++, declared += is_declared(s, k);
    return uses == 1 && declared == 1;
}
static void assignment(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[s->token[op].statement];
    const int32_t end = st->kind == STATEMENT_PLAIN ? st->all.last - 1 : st->all.last;
    if (st->kind != STATEMENT_PLAIN) return;
    const bool declares = is_declared(s, op - 1), listed = declares && source_is(s, op - 2, ",");
    const struct range to = {declares || listed ? op - 1 : st->all.first, op - 1};
    const struct range from = {op + 1, declares || listed ? operand_behind(s, op).last : end};
    if (from.last < from.first) return;
    char target[EXPRESSION_SIZE], source[EXPRESSION_SIZE];
    const int32_t target_name = source_is(s, to.first, "*") ? to.first + 1 : to.first;
    for (unsigned k = 0; k < names->outputs.count && source_is(s, op, "="); k++)
        for (unsigned v = 0; v < names->values.count && source_is(s, target_name, names->outputs.item[k]); v++)
            if (from.first == from.last) edit_replace(l, FIX_VALUE, 2, from, "%s", names->values.item[v]);
    for (unsigned v = 0; v < names->values.count && source_is(s, op, "=") && source_is(s, op - 1, "]"); v++)
        if (from.first == from.last && is_unread(s, body_of(s, st->function), names->values.item[v]))
            edit_replace(l, FIX_VALUE, 1, from, "%s", names->values.item[v]);
    const bool pointed = source_is(s, to.first, "*") && source_is(s, op, "=");
    if (pointed) {
        source_copy(s, to, target, sizeof target), source_copy(s, from, source, sizeof source);
        edit_replace(l, FIX_COMBINE, 2, from, "combine(%s, %s)", target, source);
    }
    if (!is_value(s, names, to)) return;
    source_copy(s, to, target, sizeof target), source_copy(s, from, source, sizeof source);
    /* An element that no earlier statement of the function stores. */
    const bool fresh =
        is_array_access(s, to.first + 1) && !is_listed(s, to.first, &names->outputs) && !is_stored_before(s, to.first);
    struct range argument[3];
    if (fresh && source_is(s, op, "=") && call_arguments(s, from.first, argument, 3) == 2 &&
        is_same_text(s, argument[0], to))
        edit_replace(l, FIX_UNWRITTEN, 1, from, "%s", source_copy(s, argument[1], source, sizeof source));
    source_copy(s, from, source, sizeof source);
    const bool plain = !declares && !listed && !source_has(s, from, "?");
    if (source_is(s, op, "=") && plain) edit_replace(l, FIX_COMBINE, 2, from, "combine(%s, %s)", target, source);
    /* Store the tree's result, unless the value is read from shared memory. */
    for (unsigned k = 0; k < names->outputs.count && source_is(s, op, "=") && *names->shared; k++)
        if (source_is(s, to.first, names->outputs.item[k]) && !source_has(s, from, names->shared))
            edit_replace(l, FIX_VALUE, 2, from, "%s[0]", names->shared);
    if (!source_is(s, op, "=")) {
        edit_replace(l, FIX_COMBINE, 1, (struct range){st->all.first, end}, "%s = combine(%s, %s)", target, target,
                     source);
        if (fresh) edit_replace(l, FIX_UNWRITTEN, 1, range_of(op), "=");
        edit_replace(l, FIX_OUTPUT_PLACE, 2, range_of(op), "=");
    }
    const bool number = s->token[from.first].kind == TOKEN_NUMBER, stored = number && from.first == from.last;
    if (source_is(s, op, "=") && (stored || source_has(s, st->all, "value_t")) && strcmp(source, "identity()") != 0)
        edit_replace(l, number ? FIX_IDENTITY : FIX_INITIAL_VALUE, 1, from, "identity()");
    if (source_is(s, op, "=") && plain) { /* `a + b + c` */
        char parts[3][EXPRESSION_SIZE];
        unsigned count = 0;
        for (int32_t k = from.first, begin = k; k <= from.last + 1 && count < 3; k++) {
            if (k == from.last + 1 || source_is(s, k, "+"))
                source_copy(s, (struct range){begin, k - 1}, parts[count++], EXPRESSION_SIZE), begin = k + 1;
            else if (s->token[k].match > k)
                k = s->token[k].match;
        }
        if (count == 3)
            edit_replace(l, FIX_COMBINE, 1, from, "combine(%s, combine(%s, %s))", parts[0], parts[1], parts[2]);
    }
}
/* Changes `x.value = y.value;` to `x = y;`, and `x.value = f(y).value;` to `x = f(y);`. */
static void whole_struct(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    const int32_t first = op - 3, last = source_is(s, op + 2, "(") ? s->token[op + 2].match : op + 1;
    char to[NAME_SIZE], from[EXPRESSION_SIZE];
    if (first < 0 || !source_is(s, op - 2, ".") || !source_is(s, last + 1, ".") || !source_is(s, last + 3, ";")) return;
    if (!source_same(s, op - 1, last + 2) || (last == op + 1 && source_same(s, first, last))) return;
    edit_replace(l, FIX_MEMBER, 1, (struct range){first, last + 2}, "%s = %s",
                 source_copy(s, range_of(first), to, sizeof to),
                 source_copy(s, (struct range){op + 1, last}, from, sizeof from));
}
/* Changes `value_t x = 0; ... x += y;` in several places: replaces 0 with identity(), and += with combine(). */
static void sums(struct edit_list *l, int32_t name) {
    const struct source *s = l->source;
    const struct range body = body_of(s, s->statement[s->token[name].statement].function);
    const bool number = source_is(s, name + 1, "=") && s->token[name + 2].kind == TOKEN_NUMBER;
    if (!is_declared(s, name) || is_integer(s, name) || !(number || source_is(s, name + 1, ";"))) return;
    char own[NAME_SIZE], texts[EDIT_PARTS][2 * EXPRESSION_SIZE], value[EXPRESSION_SIZE];
    source_copy(s, range_of(name), own, sizeof own);
    snprintf(texts[0], sizeof texts[0], "%s = identity()", own);
    const struct range begin = {name, number ? name + 2 : name};
    struct edit_part parts[EDIT_PARTS] = {
        {source_begin(s, begin), source_end(s, begin) - source_begin(s, begin), texts[0]}};
    struct range quoted = {0, -1};
    unsigned count = 1;
    for (int32_t k = name + 3; k < body.last && count < EDIT_PARTS; k++) {
        const bool adds = source_is(s, k + 1, "+="),
                   sets = source_is(s, k + 1, "=") && source_same(s, k + 2, k) && source_is(s, k + 3, "+");
        if (!source_same(s, k, name) || !(adds || sets)) continue;
        int32_t last = k + 2;
        while (last + 1 < body.last && !source_is(s, last + 1, ";") && !source_is(s, last + 1, ")"))
            last = s->token[last + 1].match > last ? s->token[last + 1].match : last + 1;
        const struct range all = {k, last};
        snprintf(texts[count], sizeof texts[count], "%s = combine(%s, %s)", own, own,
                 source_copy(s, (struct range){k + (adds ? 2 : 4), last}, value, sizeof value));
        parts[count] =
            (struct edit_part){source_begin(s, all), source_end(s, all) - source_begin(s, all), texts[count]};
        if (count++ == 1) quoted = all;
    }
    if (count > 1) edit_add(l, FIX_COMBINE, 1, quoted, parts, count);
}

/* Changes `value_t x = in[0]; for (k = 1; ...)` so that the reduction starts from identity() and the loop at 0. */
static void first_element(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t sign = all.last - 5;
    struct loop loop;
    int32_t next = source_next(s, at);
    while (next >= 0 && !loop_of(s, next, &loop)) next = source_next(s, next);
    if (next < 0 || sign <= all.first || !source_is(s, sign, "=") || !source_is(s, all.last - 2, "0") ||
        !is_array_access(s, all.last - 3))
        return;
    const struct range value = {sign + 1, all.last - 1}, start = loop_first_value(s, &loop);
    if (range_is_empty(start) || start.first < start.last || !source_is(s, start.first, "1")) return;
    edit_add(l, FIX_INITIAL_VALUE, 1, all,
             (struct edit_part[]){edit_part_of(s, value, "identity()"), edit_part_of(s, start, "0")}, 2);
}

void rules_values(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = body.first + 1; k < body.last; k++) {
        const bool sets = source_is(s, k, "=");
        if (s->token[k].kind == TOKEN_NAME) sums(l, k);
        if (sets) whole_struct(l, k);
        if (sets || source_is(s, k, "+=") || source_is(s, k, "*=")) assignment(l, &names, k);
    }
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function) first_element(l, k);
}
