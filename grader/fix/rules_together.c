/* Generates edits to calls that all threads must make together, because the called function shuffles or waits. Moves
 * these calls out of a branch or loop that some threads skip or leave early. */
#include "fix/loops.h"
#include <string.h>

static bool shuffles_within(const struct source *s, struct range r, unsigned depth) {
    enum { MAX_DEPTH = 4 }; /* functions may call each other */
    if (source_shuffles(s, r)) return true;
    for (int32_t k = r.first; k <= r.last && depth < MAX_DEPTH; k++) {
        const int32_t called = s->token[k].kind == TOKEN_NAME ? function_called(s, k) : -1;
        if (called >= 0 && called != s->statement[s->token[r.first].statement].function &&
            shuffles_within(s, body_of(s, called), depth + 1))
            return true;
    }
    return false;
}
bool range_shuffles(const struct source *s, struct range r) { return shuffles_within(s, r, 0); }
/* If the range begins with a call that all threads must make together, returns the token of its name. Otherwise, or if
 * the file does not define the function, returns -1. */
static int32_t joint_call(const struct source *s, struct range r) {
    const int32_t f =
        s->token[r.first].kind == TOKEN_NAME && source_is(s, r.first + 1, "(") ? function_called(s, r.first) : -1;
    return f >= 0 && (range_shuffles(s, body_of(s, f)) || source_waits(s, body_of(s, f))) ? r.first : -1;
}
/* Moves `x = f(x);` from the end of a branch to after the branch. In one of the two edits, threads that skip the branch
 * pass identity(). */
static void out_of_branch(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    int32_t last = -1;
    char own[EXPRESSION_SIZE], behind[EXPRESSION_SIZE + 1], start[NAME_SIZE + 20], name[NAME_SIZE];
    if (st->kind != STATEMENT_IF || st->body < 0 || !depends_on_the_thread(s, st->condition)) return;
    const struct range body = s->statement[st->body].all;
    if (s->statement[st->body].kind != STATEMENT_BLOCK || body.last != st->all.last) return;
    for (int32_t k = st->body + 1; k < s->statements && s->statement[k].all.first < body.last; k++)
        if (s->statement[k].parent == st->body) last = k;
    if (last < 0 || s->statement[last].kind != STATEMENT_PLAIN) return;
    const struct range all = s->statement[last].all;
    if (!source_is(s, all.first + 1, "=") || joint_call(s, (struct range){all.first + 2, all.last}) < 0) return;
    if (source_end(s, all) - source_begin(s, all) >= sizeof own) return;
    snprintf(behind, sizeof behind, " %s", source_copy(s, all, own, sizeof own));
    snprintf(start, sizeof start, "%s = identity(); ", source_copy(s, range_of(all.first), name, sizeof name));
    const struct edit_part parts[] = {
        {source_begin(s, st->all), 0, start}, edit_part_of(s, all, ""), {source_end(s, st->all), 0, behind}};
    edit_add(l, FIX_CALL_IN_BRANCH, 1, all, parts, 3);
    edit_add(l, FIX_CALL_IN_BRANCH, 1, all, parts + 1, 2);
}
/* Turns `if (c) p[k] = f(x);` into `value_t result = f(x); if (c) p[k] = result;`. */
static void stored_by_some(struct edit_list *l, int32_t at) {
    static const char *const names[] = {"result", "block_result", "whole"};
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char condition[EXPRESSION_SIZE], target[EXPRESSION_SIZE], call[EXPRESSION_SIZE];
    if (st->kind != STATEMENT_IF || st->body < 0 || !depends_on_the_thread(s, st->condition)) return;
    const bool block = s->statement[st->body].kind == STATEMENT_BLOCK;
    const int32_t only = block ? st->body + 1 : st->body;
    if (only >= s->statements || s->statement[only].kind != STATEMENT_PLAIN) return;
    const struct range all = s->statement[only].all;
    int32_t sign = all.first;
    while (sign < all.last && !source_is(s, sign, "=")) sign++;
    if (all.last + block != st->all.last || !source_is(s, sign - 1, "]") ||
        joint_call(s, (struct range){sign + 1, all.last}) < 0 || s->token[sign + 2].match != all.last - 1)
        return;
    source_copy(s, st->condition, condition, sizeof condition);
    source_copy(s, (struct range){all.first, sign - 1}, target, sizeof target);
    source_copy(s, (struct range){sign + 1, all.last - 1}, call, sizeof call);
    const uint32_t line = edit_line_begin(s->text, source_begin(s, st->all));
    const int blanks = (int)strspn(s->text + line, " ");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char text[3 * EXPRESSION_SIZE + 80];
        if (source_has(s, body_of(s, st->function), names[k])) continue;
        snprintf(text, sizeof text, "value_t %s = %s;\n%*sif (%s) %s = %s;", names[k], call, blanks, "", condition,
                 target, names[k]);
        edit_add(l, FIX_CALL_IN_BRANCH, 1, all,
                 &(struct edit_part){source_begin(s, st->all), source_end(s, st->all) - source_begin(s, st->all), text},
                 1);
        return;
    }
}
/* Replaces `x = combine(x, f(y));` in a loop with `x = combine(x, y);`, and calls f(x) after the loop. */
static void out_of_loop(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t loop = loop_around(s, at);
    struct range argument[2];
    char x[NAME_SIZE], f[NAME_SIZE], value[EXPRESSION_SIZE], call[4 * NAME_SIZE];
    if (loop < 0 || !source_in_block(s, loop) || !source_is(s, all.first + 1, "=")) return;
    for (int32_t k = all.first + 2; k < all.last; k++) {
        const int32_t name = joint_call(s, (struct range){k, all.last});
        if (name < 0 || call_arguments(s, name, argument, 2) != 1) continue;
        source_copy(s, range_of(all.first), x, sizeof x), source_copy(s, range_of(name), f, sizeof f);
        source_copy(s, argument[0], value, sizeof value);
        snprintf(call, sizeof call, " %s = %s(%s);", x, f, x);
        edit_add(l, FIX_CALL_IN_BRANCH, 1, all,
                 (struct edit_part[]){edit_part_of(s, (struct range){name, s->token[name + 1].match}, value),
                                      {source_end(s, s->statement[loop].all), 0, call}},
                 2);
    }
}
/* Lets the whole first warp execute `if (t < warps) { ... f(s[t]) ... }`, where f shuffles. The lanes without an
 * element pass identity(). */
static void whole_warp(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range c = st->condition;
    char t[NAME_SIZE], exists[EXPRESSION_SIZE], element[EXPRESSION_SIZE], first[NAME_SIZE + 8],
        text[3 * EXPRESSION_SIZE];
    if (st->kind != STATEMENT_IF || s->token[c.first].kind != TOKEN_NAME || !source_is(s, c.first + 1, "<")) return;
    if (source_has(s, c, "&&") || source_has(s, c, "||") || !depends_on_the_thread(s, range_of(c.first))) return;
    if (!range_shuffles(s, s->statement[st->body].all) || source_has(s, st->all, "else")) return;
    source_copy(s, range_of(c.first), t, sizeof t), source_copy(s, c, exists, sizeof exists);
    snprintf(first, sizeof first, "%s < 32", t);
    for (int32_t k = c.last; k < st->all.last; k++) {
        if (!is_array_access(s, k) || s->token[k].match != k + 2 || !source_same(s, k + 1, c.first)) continue;
        if (source_is(s, k + 3, "=")) continue;
        const struct range access = {k - 1, k + 2};
        snprintf(text, sizeof text, "%s ? %s : identity()", exists, source_copy(s, access, element, sizeof element));
        const struct edit_part parts[] = {edit_part_of(s, c, first), edit_part_of(s, access, text)};
        edit_add(l, FIX_BRANCH_OF_WARP, 1, (struct range){st->all.first, c.last + 1}, parts, 2);
        return;
    }
}
/* Returns whether the statement is a call of __syncwarp(). */
static bool waits_for_warp(const struct source *s, int32_t at) {
    return at >= 0 && source_is(s, s->statement[at].all.first, "__syncwarp");
}
/* Lets the whole first warp execute `if (t < warps) { s[t] = ...; x = f(s); }`, where f waits for the lanes of the
 * warp. The lanes without a result store identity(). */
static void whole_warp_stores(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range c = st->condition;
    if (st->kind != STATEMENT_IF || s->token[c.first].kind != TOKEN_NAME || !source_is(s, c.first + 1, "<")) return;
    if (source_has(s, c, "&&") || source_has(s, c, "||") || !depends_on_the_thread(s, range_of(c.first))) return;
    if (s->statement[st->body].kind != STATEMENT_BLOCK || source_has(s, st->all, "else")) return;
    const int32_t store = st->body + 1, next = source_next(s, store);
    if (store >= s->statements || s->statement[store].parent != st->body || next < 0) return;
    const struct range all = s->statement[store].all, after = s->statement[next].all;
    const int32_t close = is_array_access(s, all.first + 1) ? s->token[all.first + 1].match : -1;
    if (close < 0 || !source_same(s, all.first + 2, c.first) || !source_is(s, close + 1, "=")) return;
    bool joint = waits_for_warp(s, next);
    for (int32_t k = after.first; k < st->all.last; k++) {
        const int32_t f = s->token[k].kind == TOKEN_NAME && source_is(s, k + 1, "(") ? function_called(s, k) : -1;
        joint |= f >= 0 && source_has(s, body_of(s, f), "__syncwarp");
    }
    if (!joint) return;
    char t[NAME_SIZE], exists[EXPRESSION_SIZE], value[EXPRESSION_SIZE], first[NAME_SIZE + 8], text[3 * EXPRESSION_SIZE];
    const struct range r = {close + 2, all.last - 1};
    snprintf(first, sizeof first, "%s < 32", source_copy(s, range_of(c.first), t, sizeof t));
    snprintf(text, sizeof text, "%s ? %s : identity()", source_copy(s, c, exists, sizeof exists),
             source_copy(s, r, value, sizeof value));
    const struct edit_part parts[] = {
        edit_part_of(s, c, first), edit_part_of(s, r, text), {source_end(s, all), 0, (char *)" __syncwarp();"}};
    edit_add(l, FIX_BRANCH_OF_WARP, 1, (struct range){st->all.first, c.last + 1}, parts,
             waits_for_warp(s, next) ? 2 : 3);
}
/* In `if (first && k < m) { x = a[k]; ... }`, moves the second test into the block: the other lanes get identity(),
 * because all lanes of the warp must execute the block. */
static void whole_first_warp(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range c = st->condition;
    int32_t op = c.first;
    while (op < c.last && !source_is(s, op, "&&")) op++;
    const struct range last = {op + 1, c.last};
    if (st->kind != STATEMENT_IF || op >= c.last - 2 || source_has(s, c, "||") || source_has(s, last, "&&")) return;
    const struct range body = s->statement[st->body].all;
    bool joint = range_shuffles(s, body) || source_has(s, body, "__syncwarp");
    for (int32_t k = body.first; k < body.last; k++) joint |= joint_call(s, (struct range){k, body.last}) >= 0;
    if (!joint || !source_is(s, last.first + 1, "<") || !depends_on_the_thread(s, range_of(last.first))) return;
    for (int32_t k = body.first; k < body.last; k++) {
        const int32_t close = is_array_access(s, k) ? s->token[k].match : k;
        if (close == k || !source_same(s, close - 1, last.first)) continue;
        if (!source_is(s, k - 2, "=") || !source_is(s, close + 1, ";")) continue;
        char text[3 * EXPRESSION_SIZE], exists[EXPRESSION_SIZE], element[EXPRESSION_SIZE];
        const struct range access = {k - 1, close};
        const uint32_t from = source_end(s, range_of(op - 1));
        snprintf(text, sizeof text, "%s ? %s : identity()", source_copy(s, last, exists, sizeof exists),
                 source_copy(s, access, element, sizeof element));
        const struct edit_part parts[] = {{from, source_end(s, last) - from, (char *)""},
                                          edit_part_of(s, access, text)};
        edit_add(l, FIX_BRANCH_OF_WARP, 1, (struct range){st->all.first, c.last + 1}, parts, 2);
        return;
    }
}
void rules_together(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    for (int32_t k = 0; k < s->statements; k++) {
        if (s->statement[k].function != function) continue;
        out_of_branch(l, k);
        stored_by_some(l, k), whole_warp(l, k), whole_first_warp(l, k), whole_warp_stores(l, k);
        if (s->statement[k].kind == STATEMENT_PLAIN) out_of_loop(l, k);
    }
}
