/* Generates edits to guards that belong together. Consecutive loops with the same header need the same guard: one loads
 * the remaining vectors, another combines them. An early return guards all later accesses. Also limits the end of each
 * chunk to n, and the store of a block's result to one thread. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

/* Returns the first statement of a loop body, or -1. */
static int32_t first_in(const struct source *s, int32_t loop) {
    const int32_t body = s->statement[loop].body;
    if (body < 0 || s->statement[body].kind != STATEMENT_BLOCK) return body;
    return body + 1 < s->statements && s->statement[body + 1].parent == body ? body + 1 : -1;
}
/* Returns the guard at the beginning of the statement: a whole `if (c) break;`, or the `if (c)` before another
 * statement. Returns an empty range if there is none. */
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
/* Copies the guard of loop `from` to loop `to`. */
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
/* Returns whether the statement, or a condition around it, compares the index. */
static bool is_compared(const struct source *s, int32_t at, int32_t index) {
    for (int32_t k = s->statement[at].all.first; k <= s->statement[at].all.last; k++)
        if (source_is(s, k, "?"))
            for (int32_t n = s->statement[at].all.first; n < k; n++)
                if (source_same(s, n, index) && is_comparison(s, n + 1)) return true;
    for (; at >= 0; at = s->statement[at].parent)
        for (int32_t k = s->statement[at].condition.first; k <= s->statement[at].condition.last; k++)
            if (source_same(s, k, index)) return true;
    return false;
}
/* Removes `if (i >= n) return;` and guards the later accesses to element i instead: other threads wait for the threads
 * that returned. */
static void guards_instead(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range c = st->condition, body = body_of(s, st->function);
    const int32_t index = c.first;
    char i[NAME_SIZE], n[EXPRESSION_SIZE], own[EXPRESSION_SIZE], texts[EDIT_PARTS][3 * EXPRESSION_SIZE];
    struct edit_part parts[EDIT_PARTS] = {edit_part_of(s, st->all, "")};
    unsigned count = 1;
    if (st->kind != STATEMENT_IF || st->body < 0 || s->statement[st->body].kind != STATEMENT_RETURN) return;
    if (!source_is(s, index + 1, ">=") || s->token[index].kind != TOKEN_NAME) return;
    source_copy(s, range_of(index), i, sizeof i), source_copy(s, (struct range){index + 2, c.last}, n, sizeof n);
    for (int32_t open = st->all.last; open < body.last; open++) {
        const struct range access = {open - 1, s->token[open].match};
        const int32_t self = s->token[open].statement;
        if (!is_array_access(s, open) || !source_same(s, open + 1, index) || access.last != open + 2) continue;
        if (is_compared(s, self, index)) continue;
        if (count == EDIT_PARTS) return;
        source_copy(s, access, own, sizeof own);
        const bool stored = source_is(s, access.last + 1, "=");
        if (stored)
            snprintf(texts[count], sizeof texts[count], "if (%s < %s) ", i, n);
        else
            snprintf(texts[count], sizeof texts[count], "(%s < %s ? %s : identity())", i, n, own);
        parts[count] = stored ? (struct edit_part){source_begin(s, s->statement[self].all), 0, texts[count]}
                              : edit_part_of(s, access, texts[count]);
        count++;
    }
    if (count > 1) edit_add(l, FIX_EARLY_END, 1, st->all, parts, count);
}
/* Returns whether the function rounds up, as in (n + gridDim.x - 1) / gridDim.x. */
static bool rounds_up(const struct source *s, struct range body) {
    for (int32_t k = body.first; k + 3 <= body.last; k++)
        if (source_is(s, k, "1") && source_is(s, k + 1, ")") && source_is(s, k + 2, "/") &&
            source_is(s, k + 3, "gridDim"))
            return true;
    return false;
}
/* Turns `if (blockIdx.x == gridDim.x - 1) end = n;` into `if (end > n) end = n;`. If chunks are rounded up, an earlier
 * block's chunk may also end past n. */
static void limits_any(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->kind != STATEMENT_IF || st->body < 0 || !source_has(s, st->condition, "blockIdx")) return;
    const struct range body = s->statement[st->body].all;
    const int32_t name = body.first + source_is(s, body.first, "{");
    char own[NAME_SIZE], limit[NAME_SIZE];
    if (s->token[name].kind != TOKEN_NAME || !source_is(s, name + 1, "=") || !source_is(s, name + 3, ";")) return;
    if (s->token[name + 2].kind != TOKEN_NAME || source_has(s, st->all, "else") || name + 4 < body.last) return;
    source_copy(s, range_of(name), own, sizeof own), source_copy(s, range_of(name + 2), limit, sizeof limit);
    edit_replace(l, FIX_GUARD, !rounds_up(s, body_of(s, st->function)), st->condition, "%s > %s", own, limit);
}
/* Makes a `while` loop that counts up, such as a search for the first aligned element, stop no later than the end of
 * the input. */
static void ends_at_n(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range c = s->statement[at].condition;
    struct loop loop;
    char own[EXPRESSION_SIZE];
    if (s->statement[at].kind != STATEMENT_WHILE || !loop_of(s, at, &loop) || !*loop.variable) return;
    if (!source_has(s, loop.step, "++") || source_has(s, c, "<") || source_has(s, c, "||")) return;
    edit_replace(l, FIX_NO_LIMIT, 1, c, "%s < n && %s", loop.variable, source_copy(s, c, own, sizeof own));
}
/* Lets only thread 0 store the block's result: all threads store an element in `out[t] = s[t];`. */
static void result_of_thread_0(struct edit_list *l, const struct names *names, int32_t at) {
    static const char *const places[] = {"0", "blockIdx.x"};
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t close = source_is(s, all.first + 1, "[") ? s->token[all.first + 1].match : -1;
    const struct range index = {all.first + 2, close - 1}, read = {close + 4, all.last - 2};
    char out[NAME_SIZE], array[NAME_SIZE];
    if (s->statement[at].kind != STATEMENT_PLAIN || close < 0 || !is_listed(s, all.first, &names->outputs)) return;
    if (roles_in(s, index) != ROLE_THREAD || !source_is(s, close + 1, "=") || !is_array_access(s, close + 3)) return;
    if (!is_same_text(s, index, read)) return;
    source_copy(s, range_of(all.first), out, sizeof out), source_copy(s, range_of(close + 2), array, sizeof array);
    for (unsigned k = 0; k < 2; k++)
        edit_replace(l, FIX_ONE_THREAD, 1, all, "if (%s == 0) %s[%s] = %s[0];",
                     *names->thread ? names->thread : "threadIdx.x", out, places[k], array);
}
/* Replaces the thread's index in its block or warp with its index in the grid, in an index and in its guard. */
static void in_the_grid(struct edit_list *l, const struct names *names, struct range guard, int32_t open) {
    static const char grid[] = "blockIdx.x * blockDim.x + threadIdx.x";
    const struct source *s = l->source;
    const char *const others[] = {names->global, grid};
    char text[EXPRESSION_SIZE];
    for (int32_t k = guard.first; k <= guard.last; k++) {
        const bool own = source_is(s, k, names->lane) || source_is(s, k, names->thread),
                   added = k == guard.last && (k == guard.first || source_is(s, k - 1, "+"));
        if (s->token[k].kind != TOKEN_NAME || !own || !added || roles_in(s, guard) & ROLE_BLOCK) continue;
        for (unsigned n = 0; n < 2; n++) {
            if (!*others[n] || !renamed(s, guard, range_of(k), others[n], text, sizeof text)) continue;
            const struct range index = {open + 1, s->token[open].match - 1};
            edit_add(l, FIX_INDEX, 2, (struct range){open - 1, s->token[open].match},
                     (struct edit_part[]){edit_part_of(s, guard, text), edit_part_of(s, index, text)}, 2);
        }
    }
}
/* Adds a number of elements to an index and to its guard, in `if (tail + i < n) x = in[tail + i];`. Both lack the same
 * number. `op` is the comparison. */
static void index_and_guard(struct edit_list *l, const struct names *names, int32_t op) {
    static const char *const weak[] = {"<<", ">>", "&", "|", "^"}; /* a sum would bind tighter */
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op);
    const int32_t last = s->statement[s->token[op].statement].all.last;
    char text[NAME_SIZE + 3];
    if (!source_is(s, op, "<") || range_is_empty(left) || !(roles_in(s, right) & ROLE_SIZE)) return;
    for (size_t k = 0; k < sizeof weak / sizeof *weak; k++)
        if (source_has(s, left, weak[k])) return;
    for (int32_t open = right.last; open < last; open++) {
        if (!is_array_access(s, open) || !is_same_text(s, left, (struct range){open + 1, s->token[open].match - 1}))
            continue;
        for (unsigned k = 0; k < names->counts.count; k++) {
            const char *count = names->counts.item[k];
            if (source_has(s, left, count) || source_has(s, right, count)) continue;
            snprintf(text, sizeof text, "%s + ", count);
            edit_add(l, FIX_INDEX, 2, (struct range){open - 1, s->token[open].match},
                     (struct edit_part[]){{source_begin(s, left), 0, text}, {s->token[open + 1].at, 0, text}}, 2);
        }
        in_the_grid(l, names, left, open);
    }
}
/* Turns `if (k >= n) k = n - 1;` before `if (c) x = a[k];` into a guard: the last element would be combined again. */
static void guard_for_clamp(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t next = source_next(s, at), k = st->condition.first;
    if (st->kind != STATEMENT_IF || next < 0 || s->statement[next].kind != STATEMENT_IF) return;
    const struct range body = s->statement[st->body].all, bound = {k + 2, st->condition.last};
    const int32_t set = body.first + source_is(s, body.first, "{");
    const struct range most = {set + 2, set + 2 + bound.last - bound.first};
    if (!source_is(s, k + 1, ">=") || !source_same(s, set, k) || !source_is(s, set + 1, "=")) return;
    if (!is_same_text(s, most, bound) || !source_is(s, most.last + 1, "-") || !source_is(s, most.last + 2, "1")) return;
    const struct range c = s->statement[next].condition;
    bool used = false;
    for (int32_t n = c.last; n < s->statement[next].all.last; n++) used |= source_same(s, n, k);
    if (!used || source_has(s, c, "||") || source_has(s, s->statement[next].all, "else")) return;
    char own[NAME_SIZE], count[EXPRESSION_SIZE], guard[2 * EXPRESSION_SIZE];
    snprintf(guard, sizeof guard, " && %s < %s", source_copy(s, range_of(k), own, sizeof own),
             source_copy(s, bound, count, sizeof count));
    edit_add(l, FIX_CLAMPED, 1, st->all,
             (struct edit_part[]){edit_part_of(s, st->all, ""), {source_end(s, c), 0, guard}}, 2);
}
/* Subtracts the elements before the vectors from n in a number of remaining elements, such as `n % WIDTH`. */
static void remainder_of(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    char n[NAME_SIZE];
    if (!source_is(s, op, "%") || s->token[op - 1].kind != TOKEN_NAME || !is_listed(s, op + 1, &names->constants))
        return;
    if (source_is(s, op - 2, ".") || !(roles_in(s, range_of(op - 1)) & ROLE_SIZE)) return;
    source_copy(s, range_of(op - 1), n, sizeof n);
    for (unsigned k = 0; k < names->counts.count; k++)
        edit_replace(l, FIX_REMAINDER, 1, range_of(op - 1), "(%s - %s)", n, names->counts.item[k]);
}
void rules_guards(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function)
            guards_instead(l, k), limits_any(l, k), ends_at_n(l, k), guard_for_clamp(l, k),
                result_of_thread_0(l, &names, k);
    for (int32_t k = body_of(s, function).first; k < body_of(s, function).last; k++) remainder_of(l, &names, k);
    for (int32_t k = body_of(s, function).first; k < body_of(s, function).last; k++)
        if (is_comparison(s, k) && loop_around(s, s->token[k].statement) != s->token[k].statement)
            index_and_guard(l, &names, k);
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
