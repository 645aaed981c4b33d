/* Generates edits to expressions: operators, numbers, names, indices and values. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <stdlib.h>
#include <string.h>

/* ---- comparisons ---------------------------------------------------------------------------------- */
/* A comparison with blockIdx.x does not identify the block that finishes last. Replaces blockIdx.x with the result of
 * an earlier atomicAdd, or replaces the whole comparison (`all`). If nothing uses the atomicAdd's result, moves the
 * atomicAdd into the comparison. */
static void drawn_ticket(struct edit_list *l, struct range number, struct range all) {
    const struct source *s = l->source;
    for (int32_t k = 0; k + 4 < s->tokens; k++) {
        char name[NAME_SIZE];
        if (!draws_ticket(s, k) || !source_is(s, k + 2, "&") || s->token[k].statement < 0) continue;
        if (source_is(s, k - 1, "=") && s->token[k - 2].kind == TOKEN_NAME) {
            source_copy(s, range_of(k - 2), name, sizeof name);
            edit_replace(l, FIX_TICKET, 1, number, "%s", name);
            edit_replace(l, FIX_TICKET, 1, all, "%s == gridDim.x - 1", name);
        }
        const struct range call = {k, s->token[k + 1].match}, alone = s->statement[s->token[k].statement].all;
        char text[EXPRESSION_SIZE];
        if (alone.first != k || alone.last != call.last + 1 || k > number.first) continue;
        const uint32_t at = source_begin(s, alone), gone = source_end(s, alone) - at, place = source_begin(s, number);
        edit_add(l, FIX_TICKET, 1, number,
                 (struct edit_part[]){{at, gone, (char *)""},
                                      {place, source_end(s, number) - place, source_copy(s, call, text, sizeof text)}},
                 2);
    }
}
/* Returns whether the condition at `op` guards only a barrier. No thread may skip a barrier, so another bound cannot
 * correct the condition. */
static bool guards_a_barrier(const struct source *s, int32_t op) {
    const struct statement *st = &s->statement[s->token[op].statement];
    if (s->token[op].statement < 0 || st->kind != STATEMENT_IF || st->body < 0) return false;
    struct range body = s->statement[st->body].all;
    if (source_is(s, body.first, "{")) body.first++, body.last--;
    for (int32_t k = body.first; k < body.last; k++)
        if (source_is(s, k, ";")) return false;
    return source_is(s, body.first, "__syncthreads") || source_is(s, body.first, "__syncwarp") ||
           (source_is(s, body.first + 1, ".") && source_is(s, body.first + 2, "sync"));
}
static void comparison(struct edit_list *l, const struct names *names, int32_t op) {
    static const struct {
        const char *is, *first, *others[3];
    } signs[] = {{"<", "<=", {">", ">=", "=="}}, {"<=", "<", {">=", ">", "=="}}, {">", ">=", {"<", "<=", "=="}},
                 {">=", ">", {"<=", "<", "=="}}, {"==", "!=", {"<", "<", "<"}},  {"!=", "==", {"<", "<", "<"}}};
    const struct source *s = l->source;
    const enum fix_cause cause = cause_at(s, op);
    const struct range left = operand_before(s, op), right = operand_behind(s, op);
    char before[EXPRESSION_SIZE], behind[EXPRESSION_SIZE];
    if (left.last < left.first || right.last < right.first || guards_a_barrier(s, op)) return;
    const struct range all = {left.first, right.last};
    const bool counts = loop_counts_to_constant(
        s, names, s->token[op].statement); /* other comparisons could keep the loop from running */
    source_copy(s, left, before, sizeof before), source_copy(s, right, behind, sizeof behind);
    for (unsigned k = 0; k < 6; k++) {
        if (!source_is(s, op, signs[k].is)) continue;
        edit_replace(l, cause, 1, all, "%s %s %s", before, signs[k].first, behind);
        for (unsigned n = 0; n < 3 && !counts; n++) {
            const bool never =
                !strcmp(behind, "0") && !strcmp(signs[k].others[n], "<"); /* never true for unsigned numbers */
            if (!never) edit_replace(l, cause, n ? 3 : 2, all, "%s %s %s", before, signs[k].others[n], behind);
        }
    }
    if (strcmp(behind, "0") != 0)
        edit_replace(l, cause, 2, all, "%s %.*s %s - 1", before, (int)s->token[op].length, s->text + s->token[op].at,
                     behind);
    edit_replace(l, cause, 3, all, "%s %.*s %s + 1", before, (int)s->token[op].length, s->text + s->token[op].at,
                 behind);
    for (unsigned k = 0; k < names->counts.count; k++)
        if (!source_has(s, left, names->counts.item[k])) /* skips `begin + t < begin`, which is never true */
            edit_replace(l, cause, 2, right, "%s", names->counts.item[k]);
    for (unsigned k = 0; k < names->counts.count && cause == FIX_GUARD; k++)
        if (!source_has(s, all, names->counts.item[k])) /* `t < n` omits the block's start */
            edit_replace(l, cause, 2, left, "%s + %s", names->counts.item[k], before);
    const bool of_if = s->statement[s->token[op].statement].kind == STATEMENT_IF,
               name = left.first == left.last && s->token[left.first].kind == TOKEN_NAME,
               block = source_is(s, left.first, "blockIdx") && left.last == left.first + 2;
    if (of_if && (name || block))
        edit_replace(l, FIX_WHICH_THREADS, block ? 1 : 2, left, "%s", *names->thread ? names->thread : "threadIdx.x");
    const bool always = source_is(s, left.last, names->thread) || source_is(s, left.last, names->lane) ||
                        source_is(s, left.first, "threadIdx"); /* each thread is below blockDim.x */
    if (always && (source_is(s, op, "==") || source_is(s, op, "!="))) edit_replace(l, cause, 1, right, "0");
    if (!(always && source_is(s, op, "<")))
        edit_replace(l, cause, cause == FIX_LOOP_BOUND ? 2 : 3, right, "blockDim.x");
    edit_replace(l, cause, 3, right, "gridDim.x");
    if (*names->lane || *names->warp) edit_replace(l, cause, 3, right, "blockDim.x / 32");
    edit_replace(l, cause, 3, right, "2 * %s", behind);
    if (cause == FIX_TICKET) edit_replace(l, cause, strcmp(behind, "gridDim.x") != 0 ? 2 : 1, right, "gridDim.x - 1");
    if (source_is(s, op, "<=") && source_is(s, right.last - 1, "-") && source_is(s, right.last, "1"))
        edit_replace(l, cause, 1, all, "%s < %s", before, /* `n - 1` wraps around if n is 0 */
                     source_copy(s, (struct range){right.first, right.last - 2}, behind, sizeof behind));
    if (!strcmp(before, "blockIdx.x")) drawn_ticket(l, left, all);
}
/* Makes a guard compare the index that the guarded code accesses, for example `i + stride < n` instead of `i < n`. A
 * condition `if (i >= n) return;` guards all later statements. */
static void guarded_index(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[s->token[op].statement];
    const bool returns = st->kind == STATEMENT_IF && s->statement[st->body].kind == STATEMENT_RETURN;
    const struct range left = operand_before(s, op);
    const int32_t last = returns && st->parent >= 0 ? s->statement[st->parent].all.last : st->all.last;
    if (left.last < left.first) return;
    const struct range both = {left.first, operand_behind(s, op).last};
    const bool guards = depends_on_the_thread(s, both) || roles_in(s, both) & (ROLE_SIZE | ROLE_BLOCK);
    for (int32_t k = op + 1; k <= last; k++) {
        char index[EXPRESSION_SIZE];
        if (!is_array_access(s, k)) continue;
        source_copy(s, (struct range){k + 1, s->token[k].match - 1}, index, sizeof index);
        char whole[EXPRESSION_SIZE];
        if (guards && index_in_array(s, k, whole, sizeof whole)) edit_replace(l, FIX_GUARD, 1, left, "%s", whole);
        edit_replace(l, guards ? FIX_GUARD : FIX_CONDITION, 1, left, "%s", index);
        const bool alone = guards && roles_in(s, both) & ROLE_SIZE && !source_has(s, st->condition, "&&");
        if (source_is(s, op, "<")) edit_replace(l, FIX_GUARD, alone ? 1 : 3, both, "%s < n", index);
        /* Each thread is below blockDim.x, so `if (lane < blockDim.x)` guards nothing. */
        const bool idle =
            source_is(s, both.last, "x") && source_is(s, both.last - 2, "blockDim") && both.last == op + 3;
        for (unsigned c = 0; c < names->counts.count && guards && source_is(s, op, "<"); c++)
            edit_replace(l, FIX_GUARD,
                         idle && is_same_text(s, left, (struct range){k + 1, s->token[k].match - 1}) ? 1 : 3, both,
                         "%s < %s", index, names->counts.item[c]);
        /* Replace k in `base + k` with `k + step`. */
        for (int32_t n = left.first; n <= left.last && s->token[k].match > k + 2; n++) {
            const uint32_t begin = source_begin(s, left), end = source_end(s, left),
                           behind = s->token[n].at + s->token[n].length;
            if (source_same(s, n, k + 1) && left.last > left.first)
                edit_replace(l, FIX_GUARD, 1, left, "%.*s%s%.*s", (int)(s->token[n].at - begin), s->text + begin, index,
                             (int)(end - behind), s->text + behind);
        }
    }
}

/* ---- numbers and names ------------------------------------------------------------------------------ */
static void number(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    char text[EXPRESSION_SIZE];
    source_copy(s, range_of(at), text, sizeof text);
    const enum fix_cause cause = cause_at(s, at);
    const unsigned long long value = strtoull(text, NULL, 0);
    if (cause == FIX_MASK || !strncmp(text, "0x", 2)) {
        if (!is_of_half_a_warp(s, s->token[at].statement)) edit_replace(l, FIX_MASK, 1, range_of(at), "0xffffffff");
        edit_replace(l, FIX_MASK, 2, range_of(at), "0x0000ffff");
        edit_replace(l, FIX_FORMAT, 2, range_of(at), "0x3c003c00"); /* the half 1.0, twice */
        return;
    }
    if (strchr(text, '.')) return; /* a floating-point number */
    const unsigned long long others[] = {0, 1, 2, 2 * value, value / 2, value + 1, value - 1, 16, 1024};
    const unsigned most = sizeof others / sizeof *others - (value <= 2);
    const char *const *neutral = NULL; /* operators for which the number is neutral, such as + for 0 */
    static const char *const sums[] = {"+", "-", "<<", ">>", "+=", "-=", "<<=", ">>=", NULL}, *const factors[] = {
                                                                                                  "*", "/",
                                                                                                  "*=", "/=", NULL};
    /* An enumerator is a tuning parameter and does not affect the result. */
    if (source_is(s, s->statement[s->token[at].statement].all.first, "enum")) return;
    if (source_is(s, at - 1, "+") && source_is(s, at + 1, ")") && source_is(s, at + 2, "/") &&
        strtoull(s->text + s->token[at + 3].at, NULL, 0) == value + 1)
        return;                                                                          /* a division that rounds up */
    if (value == 32 && (source_is(s, at - 1, "/") || source_is(s, at - 1, "%"))) return; /* a warp has 32 lanes */
    /* A factor is rarely wrong by one. */
    const bool factor = source_is(s, at - 1, "*") || source_is(s, at + 1, "*");
    const bool is_of_index = source_is(s, at - 1, "+") && roles_in(s, operand_before(s, at - 1)) & ROLE_THREAD;
    const bool never =
        is_comparison(s, at - 1) &&
        loop_counts_to_constant(s, names, s->token[at].statement); /* skip 0, because the loop would not run */
    for (unsigned k = never; k < most; k++) {
        neutral = others[k] == 0 ? sums : others[k] == 1 ? factors : NULL;
        bool useless = others[k] + 1 == 0;
        for (; neutral && *neutral; neutral++) useless |= source_is(s, at - 1, *neutral);
        useless |= others[k] == 1 && source_is(s, at + 1, "*");
        if (!useless) edit_replace(l, cause, 2 + (k > 6 || (factor && k > 4)), range_of(at), "%llu", others[k]);
    }
    if (value && is_of_index) edit_replace(l, cause, 2, range_of(at), "blockDim.x");
    for (unsigned k = 0; k < names->counts.count && value && is_of_index; k++)
        edit_replace(l, cause, 2, range_of(at), "%s", names->counts.item[k]);
    if (source_is(s, at + 1, "*")) /* remove the factor */
        edit_replace(l, cause, 2, (struct range){at, at + 2}, "%s",
                     source_copy(s, range_of(at + 2), text, sizeof text));
    if (source_is(s, at - 1, "/") || source_is(s, at - 1, "*") || source_is(s, at - 1, "%"))
        for (unsigned k = 0; k < names->constants.count; k++)
            edit_replace(l, cause, 2, range_of(at), "%s", names->constants.item[k]);
}
static void name(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const char *const pairs[][2] = {{names->thread, names->global},
                                    {names->lane, names->warp},
                                    {names->thread, names->lane},
                                    {names->thread, names->warp}};
    const enum fix_cause cause = cause_at(s, at);
    char text[NAME_SIZE];
    source_copy(s, range_of(at), text, sizeof text);
    if (source_is(s, at + 1, "=") || source_is(s, at - 1, "unsigned") || source_is(s, at - 1, ".")) return;
    for (unsigned k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (unsigned n = 0; n < 2; n++)
            if (*pairs[k][n] && !strcmp(text, pairs[k][n]) && *pairs[k][1 - n])
                edit_replace(l, cause, 2, range_of(at), "%s", pairs[k][1 - n]);
    if (!strcmp(text, "gridDim")) edit_replace(l, cause, 1, range_of(at), "blockDim");
    if (!strcmp(text, "blockDim")) edit_replace(l, cause, 1, range_of(at), "gridDim");
    if (!strcmp(text, "blockIdx")) edit_replace(l, cause, 1, range_of(at), "gridDim");
    if (!strcmp(text, "gridDim") || !strcmp(text, "threadIdx")) edit_replace(l, cause, 2, range_of(at), "blockIdx");
    if (!strcmp(text, "threadIdx")) edit_replace(l, cause, 2, range_of(at), "blockDim");
    if (!strcmp(text, "threadIdx") && *names->global)
        edit_replace(l, cause, 2, (struct range){at, at + 2}, "%s", names->global);
    if (!strcmp(text, "max") && source_is(s, at + 1, "(")) edit_replace(l, cause, 1, range_of(at), "min");
    if (!strcmp(text, "gridDim") && !source_is(s, at - 1, "*") && !source_is(s, at + 3, "*"))
        edit_replace(l, cause, 2, (struct range){at, at + 2}, "gridDim.x * blockDim.x");
}

/* ---- indices -------------------------------------------------------------------------------------------- */
/* Returns whether `text` is `own` plus another term, which the index `own` may lack. An example is `v + k * threads`
 * for `v`. */
static bool begins_with(const char *text, const char *own) {
    const size_t n = strlen(own);
    return !strncmp(text, own, n) && !strncmp(text + n, " + ", 3);
}
/* Replaces the index with the other one without its first term: an element that is read at `start + t + m` has the
 * index `t + m` in the block's segment. */
static void place_in_segment(struct edit_list *l, enum fix_cause cause, struct range index, struct range other) {
    const struct source *s = l->source;
    char text[EXPRESSION_SIZE];
    for (int32_t k = other.first; k < other.last; k++) {
        if (s->token[k].match > k) k = s->token[k].match;
        if (!source_is(s, k, "+")) continue;
        edit_replace(l, cause, 2, index, "%s", source_copy(s, (struct range){k + 1, other.last}, text, sizeof text));
        return;
    }
}
/* Returns whether a condition is expected where this = assigns: in the head of an `if` or a loop, or in parentheses in
 * the value of another assignment, as in `flag = (a = b);`. */
static bool should_compare(const struct source *s, int32_t sign) {
    const struct statement *st = &s->statement[s->token[sign].statement];
    if (range_holds(st->condition, sign)) return true;
    int32_t open = sign;
    while (open > st->all.first && s->token[open].match <= sign) open--;
    for (int32_t k = st->all.first; st->kind == STATEMENT_PLAIN && source_is(s, open, "(") && k < open; k++)
        if (source_is(s, k, "=") && s->token[open - 1].kind != TOKEN_NAME) return true;
    return false;
}
/* Replaces an index with each of the function's other indices, and with common ones such as threadIdx.x. */
static void indices(struct edit_list *l, const struct names *names, int32_t function, int32_t open) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function), r = {open + 1, s->token[open].match - 1};
    const enum fix_cause cause = cause_at(s, open + 1);
    char own[EXPRESSION_SIZE], other[EXPRESSION_SIZE], loop[NAME_SIZE];
    if (r.last < r.first) return;
    source_copy(s, r, own, sizeof own);
    for (int32_t k = body.first; k < body.last; k++) {
        if (!is_array_access(s, k) || k == open) continue;
        source_copy(s, (struct range){k + 1, s->token[k].match - 1}, other, sizeof other);
        if (s->token[k].statement == s->token[open].statement && source_is(s, open - 1, names->shared))
            place_in_segment(l, cause, r, (struct range){k + 1, s->token[k].match - 1});
        const bool same = source_same(s, k - 1, open - 1), less = same && begins_with(other, own);
        edit_replace(l, cause,
                     less                                                        ? 1
                     : same || s->token[k].statement == s->token[open].statement ? 2
                                                                                 : 3,
                     r, "%s", other);
    }
    loop_variable_around(s, s->token[open].statement, loop);
    if (*loop) edit_replace(l, cause, 2, r, "%s + %s", own, loop), edit_replace(l, cause, 2, r, "%s", loop);
    for (unsigned k = 0; k < names->counts.count && r.first == r.last && s->token[r.first].kind == TOKEN_NUMBER; k++)
        edit_replace(l, cause, 2, r, "%s", names->counts.item[k]);
    for (int32_t k = r.first; k <= r.last && s->token[k - 1].kind != TOKEN_TEXT;
         k++) /* try vectors instead of elements */
        for (unsigned c = 0; c < names->constants.count && is_listed(s, k, &names->counts); c++)
            edit_replace(l, cause, 2, range_of(k), "%s * %s", source_copy(s, range_of(k), other, sizeof other),
                         names->constants.item[c]);
    const char *const usual[] = {"0",         "blockIdx.x", names->thread, names->global,
                                 names->lane, names->warp,  "threadIdx.x"};
    for (unsigned k = 0; k < sizeof usual / sizeof *usual; k++)
        if (*usual[k]) edit_replace(l, cause, cause == FIX_OUTPUT_PLACE && k < 2 ? 1 : 2, r, "%s", usual[k]);
    for (unsigned k = 0; k < names->counts.count; k++)
        edit_replace(l, cause, 3, r, "%s + %s", names->counts.item[k], own);
    for (unsigned k = 0; k < names->counts.count && source_is(s, open - 1, names->shared); k++) /* i - begin */
        if (roles_in(s, r) & ROLE_BLOCK) edit_replace(l, cause, 2, r, "%s - %s", own, names->counts.item[k]);
    const bool begins =
        source_is(s, open - 2, "&") && source_is(s, open - 3, "="); /* a part of the array begins here */
    const char *const who[] = {names->thread, names->lane, names->global, names->warp};
    for (unsigned k = 0; k < sizeof who / sizeof *who; k++) /* replace `stride` with `t + stride` */
        if (*who[k] && source_is(s, r.first, who[k]))       /* a pair begins at 2 * t */
            edit_replace(l, cause, 2, range_of(r.first), "2 * %s", who[k]);
        else if (*who[k] && s->token[r.first].kind == TOKEN_NAME && r.first == r.last)
            edit_replace(l, cause, strcmp(own, names->lane) && strcmp(own, names->warp) ? 2 : 3, r, "%s + %s", who[k],
                         own);
        else if (*who[k])
            edit_replace(l, cause, begins ? 3 : 2, r, "%s + %s", who[k], own);
    if (*names->shared && source_is(s, open - 1, names->shared)) /* an element of the other half or of another warp */
        edit_replace(l, cause, 3, r, "%s + 16", own), edit_replace(l, cause, 3, r, "%s + 32", own),
            edit_replace(l, cause, 3, r, "%s + blockDim.x", own);
    for (int32_t k = r.first; k + 2 <= r.last; k++) { /* other distances for `t + 1` */
        if (!source_is(s, k + 1, "+")) continue;
        if (*loop) edit_replace(l, cause, 1, (struct range){k + 2, r.last}, "%s", loop);
        edit_replace(l, cause, 2, (struct range){k + 2, r.last}, "blockDim.x");
        struct name_list all;
        integers_at(s, names, s->token[open].statement, &all);
        for (unsigned n = 0; n < all.count; n++)
            edit_replace(l, cause, 3, (struct range){k + 2, r.last}, "%s", all.item[n]);
    }
}
/* Changes the end of a chunk that begins at `k * length` from `k + length` to `(k + 1) * length`. */
static void end_of_chunk(struct edit_list *l, struct range k, struct range length) {
    const struct source *s = l->source;
    const struct range body = body_of(s, s->statement[s->token[k.first].statement].function);
    char own[NAME_SIZE], of[NAME_SIZE];
    for (int32_t at = body.first + 1; at < body.last; at++) {
        const bool product =
                       source_is(s, at, "*") && source_same(s, at - 1, k.first) && source_same(s, at + 1, length.first),
                   swapped =
                       source_is(s, at, "*") && source_same(s, at + 1, k.first) && source_same(s, at - 1, length.first);
        if (!product && !swapped) continue;
        edit_replace(l, FIX_CHUNK, 1, (struct range){k.first, length.last}, "(%s + 1) * %s",
                     source_copy(s, k, own, sizeof own), source_copy(s, length, of, sizeof of));
        return;
    }
}
/* Moves or adds parentheses, for example from `2 * a + b` to `2 * (a + b)`, removes an operand, or doubles one. */
static void arithmetic(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const enum fix_cause cause = cause_at(s, op);
    const struct range before = operand_before(s, op), behind = operand_behind(s, op);
    if (before.last < before.first || behind.last < behind.first) return;
    const struct range all = {before.first, behind.last};
    char left[EXPRESSION_SIZE], right[EXPRESSION_SIZE];
    source_copy(s, (struct range){before.first, op - 1}, left, sizeof left);
    source_copy(s, (struct range){op + 1, behind.last}, right, sizeof right);
    edit_replace(l, cause, 2, all, "%s", left);
    edit_replace(l, cause, 2, all, "%s", right);
    if (source_is(s, op, "*") && !source_is(s, before.first, "2"))
        edit_replace(l, cause, 2, range_of(before.first), "2 * %s",
                     source_copy(s, range_of(before.first), right, sizeof right)),
            source_copy(s, (struct range){op + 1, behind.last}, right, sizeof right);
    if (source_is(s, op, "+") && before.first == before.last && behind.first == behind.last &&
        s->token[before.first].kind == TOKEN_NAME && s->token[behind.first].kind == TOKEN_NAME)
        end_of_chunk(l, before, behind);
    if (source_is(s, op, "+") && behind.first == behind.last &&
        source_is(s, behind.first, names->thread)) /* every second element */
        edit_replace(l, cause, 2, behind, "2 * %s", names->thread);
    for (int32_t k = before.first; k < op; k++) {
        if (!source_is(s, k, "*") || source_is(s, op, "*")) continue;
        char factor[EXPRESSION_SIZE], rest[EXPRESSION_SIZE];
        source_copy(s, (struct range){before.first, k - 1}, factor, sizeof factor);
        source_copy(s, (struct range){k + 1, behind.last}, rest, sizeof rest);
        edit_replace(l, cause, 2, all, "%s * (%s)", factor, rest);
        break;
    }
    const int32_t close = source_is(s, op + 1, "(") ? s->token[op + 1].match : -1;
    const bool is_cast = close > 0 && (s->token[close + 1].kind != TOKEN_SIGN || source_is(s, close + 1, "("));
    if (source_is(s, op, "*") && close > 0 && !is_cast) { /* `2 * (a + b)`: try `2 * a + b` */
        const struct range inner = {op + 2, close - 1};
        edit_replace(l, cause, 2, (struct range){op + 1, inner.last + 1}, "%s",
                     source_copy(s, inner, right, sizeof right));
    }
    if (source_is(s, op, "*") && source_is(s, op - 1, ")") && s->token[op - 1].match == before.first) {
        const struct range inner = {before.first + 1, op - 2}; /* `(a + b) * 2`: try `a + b * 2` */
        edit_replace(l, cause, 2, before, "%s", source_copy(s, inner, right, sizeof right));
    }
    if (source_is(s, op, "*") && source_is(s, op + 2, "+") && *names->lane && source_is(s, op + 3, names->lane))
        edit_replace(l, cause, 2, range_of(op + 1), "32"); /* an index such as `warp * 32 + lane` */
    char loop[NAME_SIZE];
    loop_variable_around(s, s->token[op].statement, loop);
    /* Multiply the loop variable. */
    for (unsigned c = 0; c < names->counts.count && *loop && source_is(s, op, "+"); c++)
        if (source_is(s, behind.first, loop) && behind.first == behind.last)
            edit_replace(l, cause, 2, behind, "%s * %s", loop, names->counts.item[c]);
    const int32_t over = before.first + 1; /* `n / 4 - first`: try `(n - first) / 4` */
    if (source_is(s, op, "-") && op == over + 2 && source_is(s, over, "/") && s->token[op + 1].kind == TOKEN_NAME)
        edit_replace(l, cause, 2, all, "(%.*s - %s) / %.*s", (int)s->token[over - 1].length,
                     s->text + s->token[over - 1].at, right, (int)s->token[over + 1].length,
                     s->text + s->token[over + 1].at);
    if (source_is(s, op, "+")) {
        char sum[2 * EXPRESSION_SIZE];
        snprintf(sum, sizeof sum, "%s + %s", left, right);
        for (int32_t k = op + 1; k < behind.last; k++)
            if (source_is(s, k, "/")) {
                char head[EXPRESSION_SIZE], tail[EXPRESSION_SIZE];
                source_copy(s, (struct range){op + 1, k - 1}, head, sizeof head);
                source_copy(s, (struct range){k + 1, behind.last}, tail, sizeof tail);
                const bool numbers = k == op + 2 && s->token[op + 1].kind == TOKEN_NUMBER; /* `n + 1 / 2` is n */
                edit_replace(l, numbers ? FIX_PRECEDENCE : cause, numbers ? 0 : 2, all, "(%s + %s) / %s", left, head,
                             tail);
            }
    }
}
/* Returns the factor or divisor after `op`: a name with its members, arguments and indices, or an expression in
 * parentheses. */
static struct range operand_of_product(const struct source *s, int32_t op) {
    int32_t last = op + 1;
    if (s->token[last].match > last) last = s->token[last].match;
    while (source_is(s, last + 1, ".") || source_is(s, last + 1, "(") || source_is(s, last + 1, "["))
        last = source_is(s, last + 1, ".") ? last + 2 : s->token[last + 1].match;
    return (struct range){op + 1, last};
}
/* Replaces b in `a % b` with 2 * b or b / 2. */
static void modulus(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    const struct range r = operand_of_product(s, op);
    char own[EXPRESSION_SIZE];
    if (r.last < r.first || s->token[r.first].kind == TOKEN_NUMBER) return;
    source_copy(s, r, own, sizeof own);
    edit_replace(l, cause_at(s, op), 1, r, "(2 * %s)", own);
    edit_replace(l, cause_at(s, op), 2, r, "(%s / 2)", own);
    /* `t % stride == 0` selects the threads of an interleaved tree, `t < stride` those of a compacted one. */
    const bool tests = source_is(s, r.last + 1, "==") && source_is(s, r.last + 2, "0");
    const struct range left = operand_before(s, r.last + 1);
    if (!tests || range_is_empty(left) || s->statement[s->token[op].statement].kind != STATEMENT_IF) return;
    char t[EXPRESSION_SIZE];
    source_copy(s, (struct range){left.first, op - 1}, t, sizeof t);
    if (op > left.first) edit_replace(l, cause_at(s, op), 1, (struct range){left.first, r.last + 2}, "%s < %s", t, own);
}
/* Rounds `a >> 1` up. */
static void half_rounded_up(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    if (!source_is(s, op + 1, "1") || s->token[op - 1].kind != TOKEN_NAME) return;
    edit_replace(l, FIX_ROUND_UP, 1, (struct range){op - 1, op + 1}, "(%.*s + 1) >> 1", (int)s->token[op - 1].length,
                 s->text + s->token[op - 1].at);
}
/* Rounds `a /= 2` or `a >>= 1` up. */
static void halved_rounded_up(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    const bool divides = source_is(s, op, "/=") && source_is(s, op + 1, "2"),
               shifts = source_is(s, op, ">>=") && source_is(s, op + 1, "1");
    char name[NAME_SIZE];
    if (s->token[op - 1].kind != TOKEN_NAME || !(divides || shifts)) return;
    source_copy(s, range_of(op - 1), name, sizeof name);
    edit_replace(l, FIX_ROUND_UP, 2, (struct range){op - 1, op + 1}, "%s = (%s + 1) / 2", name, name);
}
/* Rounds `half = count / 2` up. The last i then has no partner. If `i < half` guards a statement that accesses x[i +
 * half], therefore replaces the condition with `i + half < count`. */
static void guarded_half(struct edit_list *l, int32_t op, struct range all, const char *count, const char *divisor) {
    const struct source *s = l->source;
    const int32_t half = all.first - 2, function = s->statement[s->token[op].statement].function;
    char up[2 * EXPRESSION_SIZE], guard[3 * EXPRESSION_SIZE], name[NAME_SIZE], own[EXPRESSION_SIZE];
    if (strcmp(divisor, "2") != 0 || half < 0 || !source_is(s, half + 1, "=")) return;
    source_copy(s, range_of(half), name, sizeof name);
    snprintf(up, sizeof up, "(%s + 1) / 2", count);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function != function || st->body < 0 || st->all.first < op) continue;
        for (int32_t less = st->condition.first; less < st->condition.last; less++) {
            const struct range index = operand_before(s, less), bound = operand_behind(s, less);
            if (!source_is(s, less, "<") || bound.first != bound.last || !source_same(s, bound.first, half)) continue;
            if (index.first != index.last || !source_has(s, s->statement[st->body].all, name)) continue;
            snprintf(guard, sizeof guard, "%s + %s < %s", source_copy(s, index, own, sizeof own), name, count);
            edit_add(l, FIX_ROUND_UP, 1, all,
                     (struct edit_part[]){edit_part_of(s, all, up),
                                          edit_part_of(s, (struct range){index.first, bound.last}, guard)},
                     2);
        }
    }
}
/* Rounds `a / b` up or down. */
static void rounding(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    const struct range before = operand_before(s, op), behind = operand_behind(s, op);
    if (before.last < before.first || behind.last < behind.first ||
        source_is(s, op - 1, ")") != (before.last > before.first))
        return;
    char left[EXPRESSION_SIZE], right[EXPRESSION_SIZE];
    source_copy(s, before, left, sizeof left), source_copy(s, behind, right, sizeof right);
    const struct range all = {before.first, behind.last};
    const enum fix_cause cause = cause_at(s, op), up = cause == FIX_CHUNK ? cause : FIX_ROUND_UP;
    const unsigned long long number = strtoull(right, NULL, 10);
    const bool literal = number > 1 && behind.first == behind.last;
    char more[2 * EXPRESSION_SIZE];
    snprintf(more, sizeof more, "+ %s - 1", right);
    if (literal) snprintf(more, sizeof more, "+ %llu", number - 1);
    if (!strstr(left, more)) { /* the expression does not round up yet */
        edit_replace(l, up, 1, all, "(%s %s) / %s", left, more, right);
        guarded_half(l, op, all, left, right);
    }
    edit_replace(l, cause, 2, all, "%s", left);
    for (int32_t k = before.first + 1; k < before.last; k++)
        if (source_is(s, before.first, "(") && (source_is(s, k, "+") || source_is(s, k, "-"))) {
            const bool adds = source_is(s, k, "+") && source_is(s, before.last - 1, "1");
            if (adds && cause == FIX_CHUNK) break; /* the length of a chunk must be rounded up */
            edit_replace(l, adds ? FIX_ROUND_DOWN : cause, adds ? 1 : 2, (struct range){before.first, before.last},
                         k == before.first + 2 ? "%s" : "(%s)",
                         source_copy(s, (struct range){before.first + 1, k - 1}, left, sizeof left));
        }
}

/* ---- values: identity, operator --------------------------------------------------------------------- */
static void value(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op);
    char a[EXPRESSION_SIZE], b[EXPRESSION_SIZE];
    if (left.last < left.first || right.last < right.first || !is_value(s, names, left) || !is_value(s, names, right))
        return;
    source_copy(s, (struct range){left.first, op - 1}, a, sizeof a);
    source_copy(s, (struct range){op + 1, right.last}, b, sizeof b);
    edit_replace(l, FIX_COMBINE, 1, (struct range){left.first, right.last}, "combine(%s, %s)", a, b);
}
/* Removes the divisor in `s[0] / n`: no operator of the labs divides values. */
static void divided(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const struct range left = operand_before(s, op);
    char own[EXPRESSION_SIZE];
    if (range_is_empty(left) || !is_value(s, names, left) || source_is(s, op - 1, "sizeof")) return;
    edit_replace(l, FIX_VALUE, 1, (struct range){left.first, operand_behind(s, op).last}, "%s",
                 source_copy(s, left, own, sizeof own));
}
/* ---- choices ------------------------------------------------------------------------------------------------ */
/* Swaps a and b in `c ? a : b`, or replaces one with identity(). */
static void choice(struct edit_list *l, int32_t mark) {
    const struct source *s = l->source;
    const struct range a = operand_behind(s, mark);
    if (!source_is(s, a.last + 1, ":")) return;
    const struct range b = operand_behind(s, a.last + 1);
    char first[EXPRESSION_SIZE], second[EXPRESSION_SIZE];
    source_copy(s, a, first, sizeof first), source_copy(s, b, second, sizeof second);
    const enum fix_cause cause = cause_at(s, mark);
    edit_replace(l, cause == FIX_GUARD || cause == FIX_COMBINE ? FIX_CHOICE : cause, 2, (struct range){a.first, b.last},
                 "%s : %s", second, first);
    if (s->token[a.first].kind == TOKEN_NUMBER) edit_replace(l, FIX_IDENTITY, 1, a, "identity()");
    edit_replace(l, FIX_IDENTITY, 1, b, "identity()");
    const struct statement *st = &s->statement[s->token[mark].statement];
    if (st->kind == STATEMENT_PLAIN && source_is(s, st->all.first, "value_t") && source_is(s, st->all.first + 2, "="))
        edit_replace(l, FIX_INITIAL_VALUE, 1, (struct range){st->all.first + 3, b.last}, "identity()");
}

/* Returns whether the token is a binary +, -, * or &, not a sign, the * of a pointer or the & of an address. */
static bool is_binary(const struct source *s, int32_t k) {
    if (!source_is(s, k, "+") && !source_is(s, k, "-") && !source_is(s, k, "*") && !source_is(s, k, "&")) return false;
    return (s->token[k - 1].kind != TOKEN_SIGN || source_is(s, k - 1, ")") || source_is(s, k - 1, "]")) &&
           !source_is(s, k - 1, "return") && !is_declared(s, k + 1);
}
/* Replaces an operator with one with which it is often confused. */
static void other_operator(struct edit_list *l, int32_t op) {
    static const struct {
        const char *from, *to;
        unsigned cost;
    } pairs[] = {{"/", "%", 2},   {"/", "*", 2},   {"%", "/", 2},   {"*", "/", 2},   {"*", "+", 2},   {"+", "*", 2},
                 {"+", "-", 3},   {"-", "+", 1},   {"+=", "-=", 2}, {"-=", "+=", 2}, {"*=", "/=", 2}, {"/=", "*=", 2},
                 {"+=", "*=", 2}, {"*=", "+=", 2}, {"||", "&&", 1}, {"&&", "||", 2}, {"&", "%", 2}};
    const struct source *s = l->source;
    const bool may_be_a_sign =
        source_is(s, op, "+") || source_is(s, op, "-") || source_is(s, op, "*") || source_is(s, op, "&");
    if (may_be_a_sign && !is_binary(s, op)) return;
    /* In `t % stride == 0`, the author means another comparison, not `t / stride == 0`. */
    const bool limits = source_is(s, op, "-") && source_is(s, op + 1, "1") && source_is(s, op - 2, "=") &&
                        roles_in(s, range_of(op - 1)) & ROLE_SIZE; /* the last index: no element has index n + 1 */
    if (limits) return;
    const bool asks = source_is(s, op, "%") && s->statement[s->token[op].statement].kind == STATEMENT_IF;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (source_is(s, op, pairs[k].from) && !(*pairs[k].to == '*' && source_is(s, op + 1, "1")))
            edit_replace(l, cause_at(s, op), pairs[k].cost + asks, range_of(op), "%s", pairs[k].to);
}
/* Replaces x in `return x;` with the shared array's first element or with another variable. */
static void returned(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, value = {all.first + 1, all.last - 1};
    if (value.last < value.first || !(is_value(s, names, value) || source_is(s, value.first, "identity"))) return;
    if (*names->shared) edit_replace(l, FIX_VALUE, 1, value, "%s[0]", names->shared);
    for (unsigned k = 0; k < names->values.count; k++)
        edit_replace(l, FIX_VALUE, 2, value, "%s", names->values.item[k]);
}
/* Returns whether the token is in the definition of this thread's lane, `lane = t % 32`, or of its warp. The definition
 * is right; the error is where the name is used. */
static bool defines_lane(const struct source *s, const struct names *names, int32_t at) {
    int32_t name = at;
    while (name > 0 && !source_is(s, name + 1, "=") && !source_is(s, name, ";") && !source_is(s, name, "{")) name--;
    const struct range value = operand_behind(s, name + 1);
    const bool warp = source_is(s, name, names->warp) && !(roles_in(s, value) & ROLE_BLOCK);
    return (source_is(s, name, names->lane) || warp) && is_declared(s, name) && range_holds(value, at);
}
void rules_expressions(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = body.first + 1; k < body.last; k++) {
        const struct token *t = &s->token[k];
        const struct statement *st = &s->statement[t->statement];
        if (defines_lane(s, &names, k)) continue;
        if (st->kind == STATEMENT_RETURN && k == st->all.first) returned(l, &names, t->statement);
        if (t->kind == TOKEN_NUMBER) number(l, &names, k);
        if (t->kind == TOKEN_NAME) name(l, &names, k);
        if (is_comparison(s, k)) comparison(l, &names, k);
        if (is_comparison(s, k) && (st->kind == STATEMENT_IF || st->kind == STATEMENT_PLAIN))
            guarded_index(l, &names, k);
        if (is_array_access(s, k)) indices(l, &names, function, k);
        if (source_is(s, k, "?")) choice(l, k);
        if (source_is(s, k, "=") && should_compare(s, k))
            edit_replace(l, FIX_ASSIGNED, 0, range_of(k), "=="), edit_replace(l, FIX_ASSIGNED, 1, range_of(k), "!=");
        if (is_binary(s, k)) arithmetic(l, &names, k), value(l, &names, k);
        other_operator(l, k);
        if (source_is(s, k, "/")) rounding(l, k), divided(l, &names, k);
        if (source_is(s, k, ">>")) half_rounded_up(l, k);
        halved_rounded_up(l, k);
        if (source_is(s, k, "%")) modulus(l, k);
    }
}
