/* Generates edits to calls: to their arguments and the arguments' order, to calls that all lanes must make, and to
 * returned values. */
#include "fix/loops.h"
#include <string.h>

enum { MAX_ARGUMENTS = 6 };

/* ---- the file's functions ------------------------------------------------------------------------------------- */
/* Returns whether arguments k and k + 1 of the called function may be swapped: their parameters must have the same
 * type. */
static bool takes_two_alike(const struct source *s, int32_t name, unsigned k) {
    const int32_t f = function_called(s, name);
    if (source_is(s, name, "combine") || source_is(s, name, "before")) return !k;
    if (f < 0) return false;
    const struct range x = parameter_of(s, f, k), y = parameter_of(s, f, k + 1);
    if (range_is_empty(x) || range_is_empty(y)) return false;
    const int32_t first = x.first + source_is(s, x.first, "const"), second = y.first + source_is(s, y.first, "const");
    return source_same(s, first, second) && source_has(s, x, "*") == source_has(s, y, "*");
}
static bool takes_pointer(const struct source *s, int32_t name, unsigned argument) {
    const int32_t f = function_called(s, name);
    return f >= 0 && source_has(s, parameter_of(s, f, argument), "*");
}
/* Replaces an integer argument with another integer of the function, a number of threads or blocks, or the block's
 * index. Also doubles it, halves it, or adds another integer. */
static void other_integer(struct edit_list *l, const struct names *names, struct range r) {
    static const char *const sizes[] = {"blockDim.x", "gridDim.x", "gridDim.x * blockDim.x", "blockIdx.x"};
    const struct source *s = l->source;
    struct name_list all;
    char own[EXPRESSION_SIZE];
    source_copy(s, r, own, sizeof own);
    integers_at(s, names, s->token[r.first].statement, &all);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) edit_replace(l, FIX_ARGUMENT, 2, r, "%s", sizes[k]);
    edit_replace(l, FIX_ARGUMENT, 2, r, r.first == r.last ? "2 * %s" : "2 * (%s)", own);
    edit_replace(l, FIX_ARGUMENT, 2, r, r.first == r.last ? "%s / 2" : "(%s) / 2", own);
    for (unsigned k = 0; k < all.count; k++) {
        edit_replace(l, FIX_ARGUMENT, 2, r, "%s", all.item[k]);
        if (!source_has(s, r, all.item[k])) edit_replace(l, FIX_ARGUMENT, 2, r, "%s + %s", all.item[k], own);
    }
}
/* Changes an argument in a call of a function of the file, according to the parameter's type. */
static void arguments(struct edit_list *l, const struct names *names, int32_t call) {
    const struct source *s = l->source;
    const int32_t f = function_called(s, call);
    struct range argument[MAX_ARGUMENTS];
    const unsigned count = f < 0 ? 0 : call_arguments(s, call, argument, MAX_ARGUMENTS);
    for (unsigned k = 0; k < count; k++) {
        const struct range p = parameter_of(s, f, k), r = argument[k];
        if (range_is_empty(p) || p.first == p.last) continue;
        const bool pointer = source_has(s, p, "*");
        if (is_integer_type(s, p.last - 1)) other_integer(l, names, r);
        for (unsigned n = 0; n < names->pointers.count && pointer; n++)
            edit_replace(l, FIX_ARGUMENT, 2, range_of(r.first), "%s", names->pointers.item[n]);
        for (unsigned n = 0; n < names->values.count && source_is(s, p.last - 1, "value_t"); n++)
            edit_replace(l, FIX_ARGUMENT, 2, r, "%s", names->values.item[n]);
    }
}
/* Swaps the operands of two calls of the same function, `f(a, b)` and `f(b, a)`. */
static void swapped_twice(struct edit_list *l, struct range body, int32_t call) {
    const struct source *s = l->source;
    struct range a[3], b[3];
    char texts[2][2 * EXPRESSION_SIZE], x[EXPRESSION_SIZE], y[EXPRESSION_SIZE];
    if (call_arguments(s, call, a, 3) != 2) return;
    for (int32_t k = a[1].last; k < body.last; k++) {
        if (!source_same(s, k, call) || call_arguments(s, k, b, 3) != 2) continue;
        if (!is_same_text(s, a[0], b[1]) || !is_same_text(s, a[1], b[0])) continue;
        source_copy(s, a[0], x, sizeof x), source_copy(s, a[1], y, sizeof y);
        snprintf(texts[0], sizeof *texts, "%s, %s", y, x), snprintf(texts[1], sizeof *texts, "%s, %s", x, y);
        const struct range r[2] = {{a[0].first, a[1].last}, {b[0].first, b[1].last}};
        struct edit_part parts[2];
        for (unsigned n = 0; n < 2; n++) parts[n] = edit_part_of(s, r[n], texts[n]);
        edit_add(l, source_is(s, call, "before") ? FIX_ARGUMENTS : FIX_ORDER, 1, r[0], parts, 2);
    }
}
/* In `{x.value, __shfl_down_sync(mask, x.index, offset)}`, also shuffles the other member. */
static void beside_a_shuffle(struct edit_list *l, int32_t at, const char *mask, const char *offset) {
    const struct source *s = l->source;
    int32_t open = at - 1;
    while (open > 0 && !source_is(s, open, "{") && !source_is(s, open, ";"))
        open = s->token[open].match >= 0 && s->token[open].match < open ? s->token[open].match - 1 : open - 1;
    if (!source_is(s, open, "{") || s->token[open].match < at) return;
    for (int32_t k = open + 1, from = k; k <= s->token[open].match; k++) {
        if (k == s->token[open].match || source_is(s, k, ",")) {
            const struct range r = {from, k - 1};
            char own[EXPRESSION_SIZE];
            if (r.last >= r.first && !source_shuffles(s, range_of(from)) && !source_has(s, r, ";"))
                edit_replace(l, FIX_NOT_SHUFFLED, 1, r, "__shfl_down_sync(%s, %s, %s)", mask,
                             source_copy(s, r, own, sizeof own), offset);
            from = k + 1;
        } else if (s->token[k].match > k)
            k = s->token[k].match;
    }
}
/* After a shuffle of the value, `y.value = __shfl_down_sync(mask, x.value, offset);`, also shuffles the index, and vice
 * versa. */
static void other_member(struct edit_list *l, struct range body, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[s->token[at].statement].all;
    struct range argument[4];
    char to[NAME_SIZE], from[NAME_SIZE], function[NAME_SIZE], mask[NAME_SIZE], offset[EXPRESSION_SIZE], text[512];
    const bool value = source_is(s, at - 2, "value"), sets = source_is(s, at - 3, ".") && source_is(s, at - 1, "=");
    if (!sets || !source_shuffles(s, range_of(at)) || call_arguments(s, at, argument, 4) < 3) return;
    const struct range x = argument[1];
    const char *other = value ? "index" : "value";
    if (all.first != at - 4 || x.last != x.first + 2 || !source_same(s, x.last, at - 2)) return;
    for (int32_t k = body.first; k < body.last; k++)
        if (source_same(s, k, at - 4) && source_is(s, k + 2, other) && source_is(s, k + 3, "=")) return;
    snprintf(text, sizeof text, " %s.%s = %s(%s, %s.%s, %s);", source_copy(s, range_of(at - 4), to, sizeof to), other,
             source_copy(s, range_of(at), function, sizeof function), source_copy(s, argument[0], mask, sizeof mask),
             source_copy(s, range_of(x.first), from, sizeof from), other,
             source_copy(s, argument[2], offset, sizeof offset));
    edit_add(l, FIX_NOT_SHUFFLED, 1, all, &(struct edit_part){source_end(s, all), 0, text}, 1);
}
/* In a call `x = f(s + m, lane)`, the last array elements may not exist. Before the call, copies the existing ones to
 * the start of the array, followed by identity(). */
static void results_that_exist(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[s->token[at].statement].all;
    struct range argument[3];
    char from[EXPRESSION_SIZE], text[3 * EXPRESSION_SIZE];
    if (function_called(s, at) < 0 || !call_arguments(s, at, argument, 3) || !*names->shared || !*names->lane) return;
    const struct range x = argument[0];
    if (!source_is(s, x.first, names->shared) || !source_is(s, x.first + 1, "+")) return;
    source_copy(s, (struct range){x.first + 2, x.last}, from, sizeof from);
    for (unsigned c = 0; c < names->counts.count; c++) {
        snprintf(text, sizeof text, "%s[%s] = %s < %s ? %s[%s + %s] : identity(); __syncwarp(); ", names->shared,
                 names->lane, names->lane, names->counts.item[c], names->shared, from, names->lane);
        edit_add(l, FIX_NO_GUARD, 2, all,
                 (struct edit_part[]){{source_begin(s, all), 0, text}, edit_part_of(s, x, names->shared)}, 2);
    }
}
/* Replaces a shuffle from a lower lane, `y = __shfl_up_sync(m, x, o); x = combine(y, x);`, with one from a higher lane,
 * whose value is the right operand. */
static void from_above(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[s->token[at].statement].all;
    struct range operand[2];
    char left[EXPRESSION_SIZE], right[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE + 4];
    if (!source_is(s, at, "__shfl_up_sync") || !source_is(s, at - 1, "=")) return;
    int32_t k = all.last;
    while (k < s->tokens && !source_is(s, k, "combine") && !source_is(s, k, "}")) k++;
    if (k == s->tokens || call_arguments(s, k, operand, 2) != 2 || !source_same(s, operand[0].first, at - 2)) return;
    snprintf(text, sizeof text, "%s, %s", source_copy(s, operand[1], right, sizeof right),
             source_copy(s, operand[0], left, sizeof left));
    edit_add(l, FIX_SHUFFLE, 1, all,
             (struct edit_part[]){edit_part_of(s, range_of(at), "__shfl_down_sync"),
                                  edit_part_of(s, (struct range){operand[0].first, operand[1].last}, text)},
             2);
}
static void call(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    struct range argument[4];
    char text[4][EXPRESSION_SIZE], function[NAME_SIZE], loop[NAME_SIZE];
    const unsigned count = call_arguments(s, at, argument, 4);
    if (!count) return;
    const struct range all = {at, s->token[at + 1].match};
    for (unsigned k = 0; k < count; k++) source_copy(s, argument[k], text[k], EXPRESSION_SIZE);
    source_copy(s, range_of(at), function, sizeof function);
    loop_variable_around(s, s->token[at].statement, loop);
    for (unsigned k = 0; k + 1 < count; k++) {
        const bool values = source_is(s, at, "combine") || is_value(s, names, argument[k]);
        const enum fix_cause cause = values && !source_is(s, at, "before") ? FIX_ORDER : FIX_ARGUMENTS;
        if (takes_two_alike(s, at, k) && strcmp(text[k], text[k + 1]) != 0)
            edit_replace(l, cause, 1, (struct range){argument[k].first, argument[k + 1].last}, "%s, %s", text[k + 1],
                         text[k]);
    }
    if (count == 1 && !strcmp(function, "half_to_float")) edit_replace(l, FIX_CONVERTED, 2, all, "%s", text[0]);
    if (count == 2 && !strcmp(function, "combine")) {
        if (*loop && !strcmp(text[0], text[1]))
            edit_replace(l, FIX_NOT_SHUFFLED, 1, argument[1], "__shfl_down_sync(0xffffffff, %s, %s)", text[0], loop);
        edit_replace(l, FIX_INDEX, 2, all, "%s", text[0]);
        for (unsigned k = 0; k < names->values.count && !strcmp(text[0], text[1]); k++) /* combine(x, x) */
            edit_replace(l, FIX_COMBINE, 1, argument[0], "%s", names->values.item[k]);
    }
    if (source_shuffles(s, range_of(at)) && count >= 3) {
        edit_replace(l, FIX_SHUFFLE, 1, range_of(at), "__shfl_down_sync");
        from_above(l, at);
        for (unsigned k = 0; k < 2; k++)
            edit_replace(l, FIX_ARGUMENTS, 1, (struct range){argument[k].first, argument[k + 1].last}, "%s, %s",
                         text[k + 1], text[k]);
        for (unsigned k = 1; k < 3; k++) /* the mask is not the first argument */
            if (!strncmp(text[k], "0x", 2) && strncmp(text[0], "0x", 2) != 0)
                edit_replace(l, FIX_ARGUMENTS, 1, (struct range){argument[0].first, argument[2].last}, "%s, %s, %s",
                             text[k], text[0], text[3 - k]);
        if (*loop) edit_replace(l, FIX_SHUFFLE, 1, argument[2], "%s", loop);
        edit_replace(l, FIX_SHUFFLE, 2, argument[2], "offset");
        edit_replace(l, FIX_MASK, 1, argument[0], "0xffffffff");
        for (unsigned k = 0; k < names->values.count && argument[1].first == argument[1].last; k++)
            edit_replace(l, FIX_SHUFFLE, 1, argument[1], "%s", names->values.item[k]);
        beside_a_shuffle(l, at, text[0], text[2]);
    }
    for (unsigned k = 0; k < count; k++) /* pass an offset into an array, such as `s + 32 * warp`, instead of `s` */
        if (takes_pointer(s, at, k) && *names->shared && source_is(s, argument[k].first, names->shared) && *names->warp)
            edit_replace(l, FIX_INDEX, 1, argument[k], "%s + 32 * %s", names->shared, names->warp);
}
/* Returns whether one of the file's functions shuffles or synchronizes a warp. All lanes must call it. */
static bool shuffles(const struct source *s, int32_t function) {
    return function >= 0 &&
           (source_shuffles(s, body_of(s, function)) || source_has(s, body_of(s, function), "__syncwarp"));
}
/* Lets all lanes make the last call of a branch, `if (t < n) { ...; x = f(v); }`. Where the condition is false, they
 * pass identity(). */
static void call_in_branch(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t block = s->statement[at].parent, above = block < 0 ? -1 : s->statement[block].parent;
    struct range argument[2];
    char condition[EXPRESSION_SIZE], value[EXPRESSION_SIZE], text[3 * EXPRESSION_SIZE];
    if (above < 0 || s->statement[above].kind != STATEMENT_IF || s->statement[above].all.last != all.last + 1) return;
    for (int32_t k = all.first; k < all.last; k++) {
        if (!shuffles(s, function_called(s, k)) || call_arguments(s, k, argument, 2) != 1) continue;
        const struct range head = {s->statement[above].all.first, s->statement[above].condition.last + 1},
                           body = s->statement[block].all;
        snprintf(text, sizeof text, "%s ? %s : identity()",
                 source_copy(s, s->statement[above].condition, condition, sizeof condition),
                 source_copy(s, argument[0], value, sizeof value));
        edit_add(
            l, FIX_SHUFFLE_IN_BRANCH, 1, all,
            (struct edit_part[]){{source_begin(s, head), source_begin(s, body) - source_begin(s, head), (char *)""},
                                 edit_part_of(s, argument[0], text)},
            2);
        const struct range c = s->statement[above].condition;
        char first[NAME_SIZE + 8], who[NAME_SIZE];
        if (s->token[c.first].kind != TOKEN_NAME || !source_is(s, c.first + 1, "<") || source_has(s, c, "&&") ||
            source_has(s, c, "||") || !depends_on_the_thread(s, range_of(c.first)))
            continue;
        snprintf(first, sizeof first, "%s < 32", source_copy(s, range_of(c.first), who, sizeof who));
        edit_add(l, FIX_BRANCH_OF_WARP, 1, head,
                 (struct edit_part[]){edit_part_of(s, c, first), edit_part_of(s, argument[0], text)}, 2);
    }
}
/* Lets the whole first warp execute a branch of its lower lanes, `if (t < warps) { x = s[lane]; ... }`, because it
 * contains a shuffle. The other lanes get identity(). */
static void whole_warp(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range all = st->all, c = st->condition;
    char condition[EXPRESSION_SIZE], own[EXPRESSION_SIZE], load[3 * EXPRESSION_SIZE], warp[NAME_SIZE + 8];
    int32_t call = c.last;
    if (st->kind != STATEMENT_IF || !source_is(s, c.first + 1, "<") || !depends_on_the_thread(s, c)) return;
    while (call < all.last && !shuffles(s, function_called(s, call)) && !source_shuffles(s, range_of(call))) call++;
    for (int32_t k = c.last; k < call && call < all.last; k++) {
        if (!is_array_access(s, k) || source_is(s, s->token[k].match + 1, "=")) continue;
        const struct range access = {k - 1, s->token[k].match};
        snprintf(load, sizeof load, "(%s ? %s : identity())", source_copy(s, c, condition, sizeof condition),
                 source_copy(s, access, own, sizeof own));
        if (*names->warp)
            snprintf(warp, sizeof warp, "%s == 0", names->warp);
        else
            snprintf(warp, sizeof warp, "%s < 32", *names->thread ? names->thread : "threadIdx.x");
        edit_add(l, FIX_WARP_IN_BRANCH, 1, s->statement[s->token[call].statement].all,
                 (struct edit_part[]){edit_part_of(s, c, warp), edit_part_of(s, access, load)}, 2);
        return;
    }
}
/* ---- values --------------------------------------------------------------------------------------------------- */
/* Replaces a number with identity() if a function of type value_t returns it. */
static void returned_number(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t number = st->all.first + 1;
    if (!source_is(s, s->function[st->function].name.first - 1, "value_t") || st->all.last != number + 1) return;
    if (s->token[number].kind == TOKEN_NUMBER) edit_replace(l, FIX_IDENTITY, 1, range_of(number), "identity()");
}
/* Takes both members of a pair from the same source: turns `{x.value, i}` into `{x.value, x.index}`. */
static void pair(struct edit_list *l, int32_t open) {
    static const char *const members[] = {"value", "index"};
    const struct source *s = l->source;
    const int32_t close = s->token[open].match;
    int32_t comma = open + 1;
    while (comma < close && !source_is(s, comma, ","))
        comma = s->token[comma].match > comma ? s->token[comma].match + 1 : comma + 1;
    const struct range side[2] = {{open + 1, comma - 1}, {comma + 1, close - 1}};
    if (comma >= close || range_is_empty(side[0]) || range_is_empty(side[1]) || source_has(s, side[1], ";")) return;
    for (unsigned k = 0; k < 2; k++) {
        const struct range r = side[k];
        char text[EXPRESSION_SIZE];
        if (r.last < r.first + 2 || !source_is(s, r.last - 1, ".") || !source_is(s, r.last, members[k])) continue;
        edit_replace(l, FIX_VALUE, 1, side[1 - k], "%s.%s",
                     source_copy(s, (struct range){r.first, r.last - 2}, text, sizeof text), members[1 - k]);
    }
}
/* Makes atomicInc() wrap around to 0 after the last block's ticket. */
static void wraps(struct edit_list *l, int32_t call) {
    struct range argument[2];
    if (source_is(l->source, call, "atomicInc") && call_arguments(l->source, call, argument, 2) == 2)
        edit_replace(l, FIX_RESET, 1, argument[1], "gridDim.x - 1");
}
/* Replaces an argument of combine() with another value of the function, as in `combine(all, x)` for `combine(sum, x)`.
 */
static void other_values(struct edit_list *l, const struct names *names, int32_t call) {
    struct range argument[3];
    if (!source_is(l->source, call, "combine") || call_arguments(l->source, call, argument, 3) != 2) return;
    for (unsigned a = 0; a < 2; a++)
        for (unsigned k = 0; k < names->values.count; k++)
            if (is_listed(l->source, argument[a].first, &names->values) && argument[a].first == argument[a].last)
                edit_replace(l, FIX_VALUE, 2, argument[a], "%s", names->values.item[k]);
}
/* After `if (before(x.value, y.value)) return x;`, adds a statement that returns y if y comes first. */
static void both_orders(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    struct range r[2];
    char x[EXPRESSION_SIZE], y[EXPRESSION_SIZE], other[NAME_SIZE], text[3 * EXPRESSION_SIZE];
    if (st->kind != STATEMENT_IF || !source_is(s, st->condition.first, "before")) return;
    if (call_arguments(s, st->condition.first, r, 2) != 2 || s->statement[st->body].kind != STATEMENT_RETURN) return;
    if (!source_is(s, st->all.last - 2, "return") || !source_same(s, st->all.last - 1, r[0].first)) return;
    source_copy(s, r[0], x, sizeof x), source_copy(s, r[1], y, sizeof y);
    source_copy(s, range_of(r[1].first), other, sizeof other);
    snprintf(text, sizeof text, " if (before(%s, %s)) return %s;", y, x, other);
    edit_add(l, FIX_ONE_ORDER, 1, st->all, &(struct edit_part){source_end(s, st->all), 0, text}, 1);
}
void rules_calls(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function)
            both_orders(l, k),
                s->statement[k].kind == STATEMENT_PLAIN ? call_in_branch(l, k) : whole_warp(l, &names, k);
    for (int32_t k = body.first + 1; k < body.last; k++) {
        const struct statement *st = &s->statement[s->token[k].statement];
        if (st->kind == STATEMENT_RETURN && k == st->all.first) returned_number(l, s->token[k].statement);
        if (source_is(s, k, "{")) pair(l, k);
        if (s->token[k].kind != TOKEN_NAME) continue;
        wraps(l, k), other_values(l, &names, k);
        other_member(l, body, k), results_that_exist(l, &names, k);
        call(l, &names, k), arguments(l, &names, k), swapped_twice(l, body, k);
    }
}
