/* Generates edits that use other names of the function: another array, another integer in an index or a condition, the
 * compared value as the index, and values that are never read. Converts numbers of bytes to numbers of elements. Also
 * edits the parts of an unaligned input: the head, the whole vectors and the tail. */
#include "fix/loops.h"
#include <string.h>

/* Adds an offset to both the guard and the index in `t < n ? in[t] : ...`. The new index is, for example, `begin + t`
 * or, in a loop over k, `k * threads + t`. */
static void further_on(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[s->token[at].statement];
    char other[3 * NAME_SIZE + 8], own[NAME_SIZE], loop[NAME_SIZE], text[2 * EXPRESSION_SIZE];
    int32_t equals = st->all.first;
    while (equals < st->all.last && !source_is(s, equals, "=")) equals++;
    const struct range value = {equals + 1, st->all.last - 1};
    source_copy(s, range_of(at), own, sizeof own);
    loop_variable_around(s, s->token[at].statement, loop);
    const bool in_loop = *loop && !source_has(s, value, loop);
    for (unsigned c = 0; c < names->counts.count && st->kind == STATEMENT_PLAIN && at > equals; c++) {
        snprintf(other, sizeof other, "%s + %s", names->counts.item[c], own);
        if (renamed(s, value, range_of(at), other, text, sizeof text) > 1)
            edit_replace(l, FIX_INDEX, 2, value, "%s", text);
        snprintf(other, sizeof other, "%s * %s + %s", loop, names->counts.item[c], own);
        if (in_loop && renamed(s, value, range_of(at), other, text, sizeof text))
            edit_replace(l, FIX_INDEX, 2, value, "%s", text);
    }
    const bool counts = st->kind == STATEMENT_PLAIN && at > equals && is_listed(s, at, &names->counts);
    for (unsigned c = 0; c < names->constants.count && counts; c++) { /* a number of vectors for one of elements */
        snprintf(other, sizeof other, "%s * %s", names->constants.item[c], own);
        if (renamed(s, value, range_of(at), other, text, sizeof text) > 1)
            edit_replace(l, FIX_INDEX, 2, value, "%s", text);
    }
}
/* Replaces the index in both the guard and the access of `b < n ? x[b] : ...`. */
static void guarded_access(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    struct name_list all;
    char text[2 * EXPRESSION_SIZE];
    if (!source_is(s, at + 1, "<") || !source_is(s, at + 3, "?")) return;
    integers_at(s, names, s->token[at].statement, &all);
    const struct range value = {at, operand_behind(s, at + 3).last};
    for (unsigned k = 0; k < all.count; k++)
        if (renamed(s, value, range_of(at), all.item[k], text, sizeof text) == 2)
            edit_replace(l, FIX_INDEX, 2, value, "%s", text);
}
/* Replaces an integer with another one, at this token or in the whole statement. */
static void other_integers(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[s->token[at].statement];
    struct name_list all;
    char text[2 * EXPRESSION_SIZE];
    integers_at(s, names, s->token[at].statement, &all);
    if (!is_listed(s, at, &all) || source_is(s, at - 1, ".") || source_is(s, at + 1, "(")) return;
    const enum fix_cause cause = cause_at(s, at);
    for (unsigned k = 0; k < all.count; k++) {
        const char *other = all.item[k];
        if (!is_set(s, at) && cause != FIX_LOOP_BOUND) /* rules_expressions.c replaces the whole bound */
            edit_replace(l, cause, 4, range_of(at), "%s", other);
        if (st->kind == STATEMENT_PLAIN && renamed(s, st->all, range_of(at), other, text, sizeof text) > 1)
            edit_replace(l, FIX_INDEX, 2, st->all, "%s", text);
    }
    further_on(l, names, at), guarded_access(l, names, at);
}

/* Replaces the array but keeps the index, as in `partial[b]` for `in[b]`. Removes a store of identity() to an
 * output. */
static void other_arrays(struct edit_list *l, const struct names *names, int32_t open) {
    const struct source *s = l->source;
    const struct name_list *const lists[] = {&names->inputs, &names->outputs, &names->pointers};
    const int32_t name = open - 1;
    if (!is_listed(s, name, &names->inputs) && !is_listed(s, name, &names->outputs) &&
        !is_listed(s, name, &names->pointers) && !source_is(s, name, names->shared))
        return;
    const bool stores = source_is(s, s->token[open].match + 1, "=");
    if (stores && is_listed(s, name, &names->outputs) && source_is(s, s->token[open].match + 2, "identity")) {
        const struct statement *st = &s->statement[s->token[open].statement], *above = &s->statement[st->parent];
        const bool alone = above->kind == STATEMENT_IF && above->all.last == st->all.last;
        edit_replace(l, FIX_SURPLUS, 1, alone ? above->all : st->all, "%s", alone ? "" : ";");
        return;
    }
    /* Reading the input instead of an output would repeat the work of the threads that stored the output. */
    const bool repeats = !stores && is_listed(s, name, &names->outputs) && is_stored_before(s, name);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned n = 0; n < lists[k]->count; n++)
            if (!(stores || repeats) || !name_is_in(&names->inputs, lists[k]->item[n])) /* inputs are read-only */
                edit_replace(l, FIX_ARRAY, 2, range_of(name), "%s", lists[k]->item[n]);
    if (*names->shared) edit_replace(l, FIX_ARRAY, 2, range_of(name), "%s", names->shared);
}
/* If one lane of each warp stores to an output, replaces it with the element that another lane reads. This element is
 * s[warp] if lanes read s[lane]. */
static void place_of_warp(struct edit_list *l, const struct names *names, struct range body, int32_t open) {
    const struct source *s = l->source;
    const struct range access = {open - 1, s->token[open].match};
    char text[EXPRESSION_SIZE];
    if (!is_listed(s, access.first, &names->outputs) || !source_is(s, access.last + 1, "=")) return;
    for (int32_t k = body.first + 1; k < body.last && *names->lane && *names->warp; k++) {
        if (!is_array_access(s, k) || !source_is(s, k - 1, names->shared)) continue;
        for (int32_t n = k + 1; n < s->token[k].match; n++)
            if (source_is(s, n, names->lane) &&
                renamed(s, (struct range){k - 1, s->token[k].match}, range_of(n), names->warp, text, sizeof text))
                edit_replace(l, FIX_OUTPUT_PLACE, 2, access, "%s", text);
    }
}
/* ---- guards and indices ------------------------------------------------------------------------------------ */
/* Returns the side of a comparison that must be an index, or an empty range. */
static struct range compared(const struct source *s, int32_t op) {
    if (source_is(s, op, "<") || source_is(s, op, "<=")) return operand_before(s, op);
    if (source_is(s, op, ">") || source_is(s, op, ">=")) return operand_behind(s, op);
    return (struct range){0, -1};
}
/* Replaces the index at `open` with the index that `r` compares. */
static void index_of_guard(struct edit_list *l, int32_t open, struct range r) {
    const struct source *s = l->source;
    char text[EXPRESSION_SIZE];
    for (int32_t k = r.first; k <= r.last; k++) {
        const struct range index = is_comparison(s, k) ? compared(s, k) : (struct range){0, -1};
        if (index.last >= index.first && s->token[index.first].kind == TOKEN_NAME)
            edit_replace(l, cause_at(s, open + 1), 1, (struct range){open + 1, s->token[open].match - 1}, "%s",
                         source_copy(s, index, text, sizeof text));
    }
}
static void guarded(struct edit_list *l, int32_t open) {
    const struct source *s = l->source;
    const int32_t self = s->token[open].statement;
    if (s->token[open].match <= open + 1) return;
    if (s->statement[self].kind == STATEMENT_PLAIN) index_of_guard(l, open, s->statement[self].all);
    for (int32_t at = self; at >= 0; at = s->statement[at].parent) {
        const struct statement *st = &s->statement[at];
        if (!range_is_empty(st->condition)) index_of_guard(l, open, st->condition);
    }
}
/* Makes a loop condition compare the index that its body uses. */
static void loop_guard(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    char text[EXPRESSION_SIZE];
    for (int32_t k = f->condition.first; k <= f->condition.last; k++) {
        const struct range index = is_comparison(s, k) ? compared(s, k) : (struct range){0, -1};
        if (index.last < index.first || s->token[index.first].kind != TOKEN_NAME) continue;
        for (int32_t open = s->statement[f->body].all.first; open <= f->all.last; open++)
            if (is_array_access(s, open))
                edit_replace(l, FIX_GUARD, 2, index, "%s",
                             source_copy(s, (struct range){open + 1, s->token[open].match - 1}, text, sizeof text));
    }
}
/* Changes `v < n` in a loop whose step is E * threads, so that the elements of all E accesses of an iteration must
 * exist. */
static void whole_pass(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    struct loop loop;
    const struct loop *f = &loop;
    char step[EXPRESSION_SIZE], bound[EXPRESSION_SIZE];
    if (!loop_of(s, at, &loop) || !*loop.variable) return;
    for (int32_t k = f->step.first; k + 2 <= f->step.last; k++) {
        const bool begins = source_is(s, k, "+=") && source_is(s, k + 2, "*");
        if (!begins || !is_listed(s, k + 1, &names->constants)) continue;
        source_copy(s, (struct range){k + 3, f->step.last}, step, sizeof step);
        for (int32_t op = f->condition.first; op <= f->condition.last; op++)
            if (source_is(s, op, "<"))
                edit_replace(l, FIX_LOOP_BOUND, 1, f->condition, "%s + (%.*s - 1) * %s < %s", f->variable,
                             (int)s->token[k + 1].length, s->text + s->token[k + 1].at, step,
                             source_copy(s, (struct range){op + 1, f->condition.last}, bound, sizeof bound));
    }
}

/* Replaces the elements in `combine(x[a], x[b])` with adjacent ones, or with two that are half an array apart. */
static void two_places(struct edit_list *l, const struct names *names, int32_t call) {
    const struct source *s = l->source;
    struct range argument[3];
    char loop[NAME_SIZE];
    if (!source_is(s, call, "combine") || call_arguments(s, call, argument, 3) != 2) return;
    loop_variable_around(s, s->token[call].statement, loop);
    const struct range a = argument[0], b = argument[1], both = {a.first, b.last};
    const bool places = is_array_access(s, a.first + 1) && is_array_access(s, b.first + 1) &&
                        s->token[a.first + 1].match == a.last && s->token[b.first + 1].match == b.last;
    const char *const who[] = {names->thread, names->lane};
    char x[NAME_SIZE];
    for (unsigned k = 0; k < 2 && places && *names->shared && *loop; k++) /* read shared memory instead of the input */
        if (*who[k] && source_is(s, a.first, names->shared) && !source_same(s, a.first, b.first))
            edit_replace(l, FIX_ARRAY, 1, b, "%s[%s + %s]", names->shared, who[k], loop);
    if (!places || !source_same(s, a.first, b.first)) return;
    source_copy(s, range_of(a.first), x, sizeof x);
    for (unsigned k = 0; k < 2; k++) {
        const char *t = who[k];
        if (!*t) continue;
        edit_replace(l, FIX_INDEX, 2, both, "%s[2 * %s], %s[2 * %s + 1]", x, t, x, t);
        edit_replace(l, FIX_INDEX, 3, both, "%s[%s], %s[%s + blockDim.x]", x, t, x, t);
        if (*loop) edit_replace(l, FIX_INDEX, 2, both, "%s[%s], %s[%s + %s]", x, t, x, t, loop);
    }
}

/* ---- values -------------------------------------------------------------------------------------------------- */
static unsigned occurrences(const struct source *s, struct range r, const char *name) {
    unsigned n = 0;
    for (int32_t k = r.first; k <= r.last; k++) n += source_is(s, k, name);
    return n;
}
/* If a value is set but never read, combines it with the second argument of a combine(). */
static void never_read(struct edit_list *l, const struct names *names, struct range body, int32_t call) {
    const struct source *s = l->source;
    struct range argument[3];
    char text[EXPRESSION_SIZE];
    if (!source_is(s, call, "combine") || call_arguments(s, call, argument, 3) != 2) return;
    for (unsigned k = 0; k < names->values.count; k++)
        if (occurrences(s, body, names->values.item[k]) == 1)
            edit_replace(l, FIX_MISSING_STEP, 1, argument[1], "combine(%s, %s)", names->values.item[k],
                         source_copy(s, argument[1], text, sizeof text));
}
/* Combines each value of the function with an array element at the end of a loop body. Calls combine(), or a function
 * of the file that takes a value and an element. */
static void taken_in(struct edit_list *l, const struct names *names, struct range body, int32_t at) {
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    char array[NAME_SIZE], function[NAME_SIZE];
    struct loop known;
    const char *loop = known.variable;
    if (!loop_of(s, at, &known) || !*loop || f->body < 0 || s->statement[f->body].kind != STATEMENT_BLOCK) return;
    const struct range quoted = {f->all.first, f->condition.last + 1};
    const int32_t end =
        f->kind == STATEMENT_FOR || range_is_empty(known.step) ? s->statement[f->body].all.last : known.step.first;
    for (int32_t k = body.first; k + 1 < body.last; k++) {
        const bool local = s->token[k].kind == TOKEN_NAME && source_is(s, k + 1, "[") && !is_array_access(s, k + 1) &&
                           s->token[k - 1].kind == TOKEN_NAME && !source_is(s, k - 1, "return");
        const bool input = is_listed(s, k, &names->inputs) && is_array_access(s, k + 1);
        if (!local && !input) continue;
        source_copy(s, range_of(k), array, sizeof array);
        for (unsigned v = 0; v < names->values.count; v++) {
            const char *value = names->values.item[v];
            edit_insert(l, FIX_MISSING_STEP, 2, end, quoted, "%s = combine(%s, %s[%s]); ", value, value, array, loop);
            for (int32_t o = 0; o < s->functions && local; o++) {
                const struct range p = s->function[o].parameters;
                const bool two = source_is(s, p.first, "value_t") && source_is(s, p.first + 2, ",") &&
                                 source_same(s, p.first + 3, k - 1) && p.last == p.first + 4;
                if (two && !source_is(s, s->function[o].name.first, "combine"))
                    edit_insert(l, FIX_MISSING_STEP, 1, end, quoted, "%s = %s(%s, %s[%s]); ", value,
                                source_copy(s, s->function[o].name, function, sizeof function), value, array, loop);
            }
        }
    }
}

/* ---- heads, vectors and tails -------------------------------------------------------------------------------- */
/* Returns whether the file divides by the constant, which is then probably the width of a vector. */
static bool divides(const struct source *s, const char *constant) {
    for (int32_t k = 1; k < s->tokens; k++)
        if (source_is(s, k, constant) && source_is(s, k - 1, "/")) return true;
    return false;
}
/* Returns whether the range contains %, or calls a function that contains % or &. */
static bool has_remainder(const struct source *s, struct range r) {
    bool has = source_has(s, r, "%");
    for (int32_t k = r.first; k <= r.last; k++) {
        const int32_t f = function_called(s, k);
        has |= f >= 0 && (source_has(s, body_of(s, f), "%") || source_has(s, body_of(s, f), "&"));
    }
    return has;
}
/* Changes an integer computed from a count and a constant, such as the width of a vector. */
static void of_constants(struct edit_list *l, const struct names *names, struct range r, int32_t name) {
    const struct source *s = l->source;
    const enum fix_cause cause = cause_at(s, r.first);
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE];
    source_copy(s, r, own, sizeof own);
    for (int32_t k = r.first + 1; k < r.last; k++) {
        if (source_is(s, k, "%") && r.last == k + 1) /* replace a remainder with the distance to the next multiple */
            edit_replace(l, FIX_ALIGNMENT, 1, r, "(%s - %s) %% %s", source_copy(s, range_of(k + 1), text, 64), own,
                         text);
        const bool divided = source_is(s, k, "/"), remains = source_is(s, k, "%");
        if ((divided || remains) && k == r.first + 1)
            for (unsigned c = 0; c < names->counts.count; c++) /* subtract the elements before the vectors */
                if (!source_is(s, name, names->counts.item[c]))
                    edit_replace(l, remains ? FIX_REMAINDER : cause, 1, range_of(r.first), "(%s - %s)",
                                 source_copy(s, range_of(r.first), text, 64), names->counts.item[c]);
    }
    for (int32_t k = r.first + 1; k < r.last; k++) /* the tail begins after the last vector */
        for (unsigned c = 0; c < names->counts.count && source_is(s, k, "*"); c++)
            if (is_listed(s, k - 1, &names->counts) && is_listed(s, k + 1, &names->constants) &&
                !source_is(s, name, names->counts.item[c]))
                edit_replace(l, cause, 2, r, "%s + %s", names->counts.item[c],
                             source_copy(s, (struct range){k - 1, k + 1}, text, sizeof text));
    /* replace blockDim.x with a count, such as a chunk's length, and sizeof with a constant, such as a vector's width
     */
    for (int32_t k = r.first; k <= r.last; k++) {
        const bool block = source_is(s, k, "blockDim") && k + 2 <= r.last, bytes = source_is(s, k, "sizeof");
        const struct range old = {k, bytes ? s->token[k + 1].match : k + 2};
        for (unsigned c = 0; c < names->counts.count && block; c++)
            if (!source_is(s, name, names->counts.item[c])) edit_replace(l, cause, 2, old, "%s", names->counts.item[c]);
        for (unsigned c = 0; c < names->constants.count && bytes; c++)
            edit_replace(l, cause, 2, old, "%s", names->constants.item[c]);
    }
    for (int32_t k = r.first; k <= r.last; k++) /* convert vectors to elements */
        for (unsigned c = 0; c < names->constants.count && is_listed(s, k, &names->counts); c++)
            edit_replace(l, cause, 2, range_of(k), "%s * %s", source_copy(s, range_of(k), text, sizeof text),
                         names->constants.item[c]);
    for (unsigned c = 0; c < names->constants.count; c++) {
        const char *width = names->constants.item[c];
        /* The mistake is more likely in the function that computes the number. */
        const unsigned cost = 1 + !divides(s, width) + 2 * (function_called(s, r.first) >= 0);
        for (unsigned i = 0; i < names->inputs.count; i++) {
            const char *in = names->inputs.item[i];
            edit_replace(l, FIX_ALIGNMENT, cost, r, "(%s - (size_t)%s / sizeof(value_t) %% %s) %% %s", width, in, width,
                         width);
            /* A range with sizeof already computes the distance, and lacks only the bound. */
            if (!source_has(s, r, "sizeof"))
                edit_replace(l, FIX_ALIGNMENT, cost, r,
                             "min((unsigned)((%s - (size_t)%s / sizeof(value_t) %% %s) %% %s), n)", width, in, width,
                             width);
        }
    }
    /* A remainder may exceed the number of elements, so limit it. */
    if (names->constants.count && !source_has(s, r, "min"))
        for (unsigned c = 0; c < names->counts.count; c++)
            if (!source_is(s, name, names->counts.item[c]))
                edit_replace(l, FIX_NO_LIMIT, has_remainder(s, r) ? 1 : 2, r, "min((unsigned)(%s), %s)", own,
                             names->counts.item[c]);
}
/* Converts a number of bytes to elements, such as `16 - past` after `past = (size_t)in % 16`. */
static void counted_bytes(struct edit_list *l, struct range body, int32_t equals) {
    const struct source *s = l->source;
    int32_t end = equals + 1;
    char own[EXPRESSION_SIZE];
    while (end < body.last && !source_is(s, end, ",") && !source_is(s, end, ";"))
        end = s->token[end].match > end ? s->token[end].match + 1 : end + 1;
    const struct range value = {equals + 1, end - 1};
    if (!source_has(s, body, "size_t") || source_has(s, value, "sizeof") || !source_has(s, value, "16")) return;
    for (int32_t k = end; k < body.last; k++) /* the distance that remains, `16 - past`, is in bytes, too */
        if (source_same(s, k, equals - 1) && source_is(s, k - 1, "-") && source_is(s, k - 2, "16")) return;
    edit_replace(l, FIX_BYTES, 1, value, "(%s) / sizeof(value_t)", source_copy(s, value, own, sizeof own));
}
/* Converts a returned number of bytes to elements, in a function that computes with addresses. */
static void returned_bytes(struct edit_list *l, const struct statement *st) {
    const struct source *s = l->source;
    const struct range value = {st->all.first + 1, st->all.last - 1}, body = body_of(s, st->function);
    char own[EXPRESSION_SIZE];
    if (range_is_empty(value) || !source_has(s, body, "size_t") || source_has(s, value, "sizeof")) return;
    if (is_integer_type(s, s->function[st->function].name.first - 1))
        edit_replace(l, FIX_ALIGNMENT, 1, value, "(%s) / sizeof(value_t)", source_copy(s, value, own, sizeof own));
}
/* Returns whether the function sets the declared name again after its declaration. */
static bool is_set_again(const struct source *s, struct range body, int32_t name) {
    for (int32_t k = name + 1; k < body.last; k++)
        if (source_same(s, k, name) && is_set(s, k)) return true;
    return false;
}
/* Replaces identity() in `value_t first = identity();` with an element before or after the vectors. Skips variables
 * that are set again, unless the file has constants such as the width of a vector. */
static void head_or_tail(struct edit_list *l, const struct names *names, int32_t name) {
    const struct source *s = l->source;
    const char *who = *names->global ? names->global : names->thread;
    const int32_t call = name + 2, self = s->token[name].statement;
    if (!source_is(s, name + 1, "=") || !source_is(s, call, "identity") || self < 0) return;
    if (!names->constants.count && is_set_again(s, body_of(s, s->statement[self].function), name)) return;
    const struct range r = {call, call + 2};
    for (unsigned i = 0; i < names->inputs.count && *who; i++)
        for (unsigned c = 0; c < names->counts.count; c++) {
            const char *in = names->inputs.item[i], *count = names->counts.item[c];
            edit_replace(l, FIX_MISSING_STEP, 1, r, "%s < %s ? %s[%s] : identity()", who, count, in, who);
            edit_replace(l, FIX_MISSING_STEP, 1, r, "%s + %s < n ? %s[%s + %s] : identity()", count, who, in, count,
                         who);
        }
}
/* Swaps / and % in `lane = t / 32, warp = t % 32`. */
static void swapped(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    const int32_t next = op + 6; /* op is the / in `/ 32, warp = t % 32` */
    if (!source_is(s, op, "/") || next + 1 >= s->tokens || !source_is(s, next, "%")) return;
    if (!source_is(s, op + 2, ",") || !source_same(s, op - 1, next - 1) || !source_same(s, op + 1, next + 1)) return;
    const struct edit_part parts[] = {{s->token[op].at, 1, (char *)"%"}, {s->token[next].at, 1, (char *)"/"}};
    edit_add(l, FIX_INDEX, 1, s->statement[s->token[op].statement].all, parts, 2);
}
/* Replaces the thread's own value x in `f(x)` with a value in shared memory. */
static void argument_of_shared(struct edit_list *l, const struct names *names, int32_t call) {
    const struct source *s = l->source;
    const char *who = *names->lane ? names->lane : names->thread;
    struct range argument[3];
    if (!*names->shared || !*who || source_is(s, call, "combine") || call_arguments(s, call, argument, 3) != 1) return;
    if (argument[0].last > argument[0].first || !is_listed(s, argument[0].first, &names->values)) return;
    for (unsigned c = 0; c < names->counts.count; c++)
        edit_replace(l, FIX_INDEX, 2, argument[0], "%s < %s ? %s[%s] : identity()", who, names->counts.item[c],
                     names->shared, who);
}
/* Combines the elements before or after the vectors, before the first loop that combines values. */
static void head_and_tail(struct edit_list *l, const struct names *names, int32_t function) {
    const struct source *s = l->source;
    const char *who = *names->global ? names->global : names->thread;
    int32_t at = -1, before = -1;
    for (int32_t k = 0; k < s->statements && at < 0; k++) {
        if (s->statement[k].parent != s->function[function].body) continue;
        for (unsigned v = 0; v < names->values.count; v++)
            if (loop_around(s, k) == k && source_has(s, s->statement[k].all, names->values.item[v])) at = k;
        if (at < 0) before = k;
    }
    if (!names->constants.count || !*who || at < 0 || before < 0) return;
    const uint32_t place = source_end(s, s->statement[before].all);
    const struct range quoted = s->statement[before].all;
    char text[2 * EXPRESSION_SIZE];
    for (unsigned v = 0; v < names->values.count; v++)
        for (unsigned i = 0; i < names->inputs.count; i++)
            for (unsigned c = 0; c < names->counts.count; c++) {
                const char *x = names->values.item[v], *in = names->inputs.item[i], *count = names->counts.item[c];
                if (!source_has(s, s->statement[at].all, x) || !strcmp(count, who)) continue;
                snprintf(text, sizeof text, " if (%s < %s) %s = combine(%s, %s[%s]);", who, count, x, x, in, who);
                edit_add(l, FIX_MISSING_STEP, 1, quoted, &(struct edit_part){place, 0, text}, 1);
                snprintf(text, sizeof text, " if (%s + %s < n) %s = combine(%s, %s[%s + %s]);", count, who, x, x, in,
                         count, who);
                edit_add(l, FIX_MISSING_STEP, 1, quoted, &(struct edit_part){place, 0, text}, 1);
            }
}
/* Returns whether the file declares the name as a pointer to halves. */
static bool points_to_halves(const struct source *s, const char *name) {
    for (int32_t k = 2; k < s->tokens; k++)
        if (source_is(s, k, name) && source_is(s, k - 1, "*") && source_is(s, k - 2, "half_t")) return true;
    return false;
}
/* Returns the last statement at the top level of the function's body if it is a return, otherwise -1. */
static int32_t last_return(const struct source *s, int32_t function) {
    int32_t last = -1;
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].parent == s->function[function].body) last = k;
    return last >= 0 && s->statement[last].kind == STATEMENT_RETURN ? last : -1;
}
/* Combines the elements after the last whole vector. With `whole = (n - head) / width`, their first index is head +
 * whole * width. Inserts the code where the number of vectors is known and before the function returns. */
static void tail(struct edit_list *l, const struct names *names, struct range body) {
    const struct source *s = l->source;
    const char *who = *names->global ? names->global : names->thread;
    char whole[NAME_SIZE], first[3 * NAME_SIZE], text[6 * EXPRESSION_SIZE];
    const int32_t end = last_return(s, s->statement[s->token[body.first].statement].function);
    for (int32_t k = body.first; k < body.last && *who; k++) {
        const int32_t self = s->token[k].statement;
        if (!source_is(s, k, "/") || !is_listed(s, k + 1, &names->constants)) continue;
        const struct range all = s->statement[self].all;
        int32_t name = k; /* the declared number of vectors */
        while (name > all.first && !(source_is(s, name + 1, "=") && is_declared(s, name))) name--;
        if (name <= all.first || s->statement[self].kind != STATEMENT_PLAIN) continue;
        source_copy(s, range_of(name), whole, sizeof whole);
        for (unsigned c = 0; c <= names->counts.count; c++) {
            const char *head = c < names->counts.count ? names->counts.item[c] : "";
            snprintf(first, sizeof first, "%s%s%.*s * %s", head, *head ? " + " : "", (int)s->token[k + 1].length,
                     s->text + s->token[k + 1].at, whole);
            for (unsigned v = 0; v < names->values.count * names->inputs.count && strcmp(head, whole) != 0; v++) {
                const char *x = names->values.item[v % names->values.count],
                           *in = names->inputs.item[v / names->values.count];
                const bool halves = points_to_halves(s, in);
                snprintf(text, sizeof text, " if (%s + %s < n) %s = combine(%s, %s%s[%s + %s]%s);", first, who, x, x,
                         halves ? "half_to_float(" : "", in, first, who, halves ? ")" : "");
                edit_add(l, FIX_MISSING_STEP, 1, all, &(struct edit_part){source_end(s, all), 0, text}, 1);
                if (end >= 0 && c == names->counts.count)
                    edit_insert(l, FIX_MISSING_STEP, 1, s->statement[end].all.first, s->statement[end].all, "%s ",
                                text + 1);
            }
        }
    }
}
/* Adds an offset, in elements, to the pointer in `(const vector *)in`. */
static void pointer(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    if (!source_is(s, at - 1, ")") || !source_is(s, at - 2, "*")) return;
    if (source_is(s, at + 1, "+")) { /* the offset counts vectors: only add parentheses */
        char text[EXPRESSION_SIZE];
        const struct range all = {at, operand_behind(s, at + 1).last};
        edit_replace(l, FIX_CAST, 1, all, "(%s)", source_copy(s, all, text, sizeof text));
        return;
    }
    for (unsigned c = 0; c < names->counts.count; c++)
        edit_replace(l, FIX_ALIGNMENT, 1, range_of(at), "(%.*s + %s)", (int)s->token[at].length,
                     s->text + s->token[at].at, names->counts.item[c]);
}
/* In a cast such as `(const float4 *)(x + i + k)`, the offset counts elements. Multiplies the terms after one
 * of its + by a constant of the file, such as the vector's width. */
static void offset_in_vectors(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const int32_t open = at - 1;
    char term[EXPRESSION_SIZE];
    if (!source_is(s, open, "(") || !source_is(s, open - 1, ")") || !source_is(s, open - 2, "*")) return;
    for (int32_t k = at + 1; k < s->token[open].match; k++)
        for (unsigned c = 0; c < names->constants.count && source_is(s, k, "+"); c++) {
            const struct range r = {k + 1, s->token[open].match - 1};
            edit_replace(l, FIX_INDEX, 1, r, "%s * (%s)", names->constants.item[c],
                         source_copy(s, r, term, sizeof term));
        }
}
/* Returns whether the statement executes in all threads or, in a file with constants such as the width of a vector,
 * under a condition that is the same for all threads. */
static bool is_set_for_all(const struct source *s, const struct names *names, int32_t statement) {
    const int32_t branch = source_around(s, statement, STATEMENT_IF);
    return branch < 0 || (names->constants.count && !depends_on_the_thread(s, s->statement[branch].condition));
}

void rules_names(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = body.first + 1; k < body.last; k++) {
        const struct statement *st = &s->statement[s->token[k].statement];
        if (*names.warp && source_is(s, k - 1, "&") && is_array_access(s, k + 1) && source_is(s, k + 2, names.warp) &&
            source_is(s, k + 3, "]")) /* the warps' parts of an array must not overlap */
            edit_replace(l, FIX_INDEX, 1, range_of(k + 2), "32 * %s", names.warp);
        if (*names.warp && source_is(s, k, "+") && source_is(s, k + 1, names.warp) && source_is(s, k - 1, names.shared))
            edit_replace(l, FIX_INDEX, 1, range_of(k + 1), "32 * %s", names.warp);
        if (source_is(s, k, names.shared) && is_listed(s, k - 2, &names.pointers) && source_is(s, k - 1, "="))
            edit_replace(l, FIX_INDEX, 1, range_of(k), "%s + blockDim.x", names.shared);
        if (is_array_access(s, k)) guarded(l, k), other_arrays(l, &names, k), place_of_warp(l, &names, body, k);
        swapped(l, k);
        if (s->token[k].kind != TOKEN_NAME) continue;
        never_read(l, &names, body, k), two_places(l, &names, k), argument_of_shared(l, &names, k);
        other_integers(l, &names, k);
        if (is_listed(s, k, &names.inputs) || is_listed(s, k, &names.vectors))
            pointer(l, &names, k), offset_in_vectors(l, &names, k);
        if (is_listed(s, k, &names.values) || is_declared(s, k)) head_or_tail(l, &names, k);
        if (source_is(s, k + 1, "=") && st->kind == STATEMENT_PLAIN && !source_is(s, st->all.first, "enum") &&
            is_listed(s, k, &names.counts) && is_set_for_all(s, &names, s->token[k].statement)) {
            const struct range r = operand_behind(s, k + 1);
            if (r.last >= r.first) of_constants(l, &names, r, k), counted_bytes(l, body, k + 1);
        }
    }
    head_and_tail(l, &names, function), tail(l, &names, body);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function != function) continue;
        if (st->kind == STATEMENT_RETURN) returned_bytes(l, st);
        if (loop_around(s, k) == k) loop_guard(l, k), whole_pass(l, &names, k), taken_in(l, &names, body, k);
    }
}
