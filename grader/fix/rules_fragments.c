/* Generates edits to matrix products (common/tensor.h): to the layout and contents of fragments, and to conversions of
 * halves, loads and arguments. Also adds missing products and lets all lanes reach them. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

/* A function's arrays that are fragments of matrices, by type. */
struct fragments {
    struct name_list a, b, c;    /* declared as: fragment NAME; unsigned NAME[2]; float NAME[4] */
    struct name_list halves;     /* pointers to halves */
    char lane[EXPRESSION_SIZE];  /* this thread's lane, or an expression for it */
    bool multiplies, has_halves; /* the file multiplies matrices; the file uses halves */
};
static const char ONES[] = "pack_halves(0x3c00, 0x3c00)", ZEROS[] = "{0, 0, 0, 0}", SUM_OF_ROWS[] = "%s[0] + %s[2]";

static bool is_array_of(const struct source *s, int32_t name, const char *type, const char *length) {
    return source_is(s, name - 1, type) && source_is(s, name + 1, "[") && source_is(s, name + 2, length);
}
static void read_fragments(const struct source *s, const struct names *names, int32_t function, struct fragments *out) {
    const struct range body = body_of(s, function), p = s->function[function].parameters;
    char name[NAME_SIZE];
    *out = (struct fragments){.multiplies = false};
    snprintf(out->lane, sizeof out->lane, "%s", *names->lane ? names->lane : "threadIdx.x % 32");
    for (int32_t k = 0; k < s->tokens; k++)
        out->multiplies |= source_is(s, k, "matrix_multiply") || source_is(s, k, "load_fragment"),
            out->has_halves |= source_is(s, k, "half_t");
    for (int32_t k = p.first; k < body.last; k++) {
        source_copy(s, range_of(k), name, sizeof name);
        if (source_is(s, k - 1, "fragment") && s->token[k].kind == TOKEN_NAME) name_add(&out->a, name);
        if (is_array_of(s, k, "unsigned", "2")) name_add(&out->b, name);
        if (source_is(s, k - 1, ",") && source_is(s, k + 1, "[") && source_is(s, k + 2, "2") && is_integer(s, k))
            name_add(&out->b, name);
        if (is_array_of(s, k, "float", "4")) name_add(&out->c, name);
        if (source_is(s, k - 2, "half_t") && source_is(s, k - 1, "*")) name_add(&out->halves, name);
    }
}
static bool has_one_of(const struct source *s, struct range r, const struct name_list *l) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (is_listed(s, k, l)) return true;
    return false;
}
/* Returns the part of a statement to quote in reports. */
static struct range head_of(const struct source *s, int32_t at) {
    const struct statement *st = &s->statement[at];
    const bool plain = st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN || st->condition.last <= 0;
    return plain ? st->all : (struct range){st->all.first, st->condition.last + 1};
}
/* Inserts text after a statement that is directly inside braces. */
static void put_behind(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t at, const char *text) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char own[3 * EXPRESSION_SIZE];
    if (!source_in_block(s, at) || st->kind == STATEMENT_RETURN) return;
    snprintf(own, sizeof own, " %s", text);
    edit_add(l, cause, cost, head_of(s, at), &(struct edit_part){source_end(s, st->all), 0, own}, 1);
}

/* Inserts, after statement `at`, code that uses the result of a matrix product. Reports quote the product. `c` is the
 * accumulator. */
static void sum_of_rows(struct edit_list *l, int32_t at, const char *text, const char *c) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range body = body_of(s, st->function);
    char own[3 * EXPRESSION_SIZE];
    if (!source_in_block(s, at) || st->kind == STATEMENT_RETURN) return;
    for (int32_t k = body.first; k + 4 < body.last; k++) /* the result is in use: `c[0]` */
        if (source_is(s, k, c) && source_is(s, k + 1, "[") && source_is(s, k + 2, "0") && !source_is(s, k + 4, "="))
            return;
    snprintf(own, sizeof own, " %s", text);
    for (int32_t k = body.first; k + 2 < body.last; k++)
        if (source_is(s, k, "matrix_multiply") && source_is(s, k + 2, c))
            edit_add(l, FIX_NOT_STORED, 2, s->statement[s->token[k].statement].all,
                     &(struct edit_part){source_end(s, st->all), 0, own}, 1);
}
/* ---- contents of fragments ------------------------------------------------------------------------------------ */
/* Replaces other numbers, other formats and half-filled words with halves of value 1. */
static void ones(struct edit_list *l, const struct fragments *f, struct range body) {
    const struct source *s = l->source;
    for (int32_t k = body.first; k < body.last; k++) {
        struct range argument[2];
        const bool packs = source_is(s, k, "pack_halves") && call_arguments(s, k, argument, 2) == 2;
        if (packs) edit_replace(l, FIX_FORMAT, 1, (struct range){k, s->token[k + 1].match}, "%s", ONES);
        const bool half = source_is(s, k - 2, "half_t"),
                   header = s->statement[s->token[k].statement].kind == STATEMENT_FOR;
        if (!source_is(s, k, "=") || header || !is_declared(s, k - 1) || !(half || is_integer(s, k - 1))) continue;
        const struct range value = operand_behind(s, k);
        char name[NAME_SIZE];
        if (half) /* one half, but a word of the fragment holds two */
            edit_replace(l, FIX_FORMAT, 1, (struct range){k - 2, value.last}, "unsigned %s = %s",
                         source_copy(s, range_of(k - 1), name, sizeof name), ONES);
        int32_t end = k + 1; /* of a number such as `15 << 10` */
        while (s->token[end].kind == TOKEN_NUMBER || source_is(s, end, "<<") || source_is(s, end, "|")) end++;
        const bool number = end > k + 1 && (source_is(s, end, ";") || source_is(s, end, ","));
        const struct range all = number ? (struct range){k + 1, end - 1} : value;
        if (half && number) edit_replace(l, FIX_FORMAT, 1, all, "0x3c00");
        if (!half && (number || source_has(s, value, "float_to_half"))) edit_replace(l, FIX_FORMAT, 1, all, "%s", ONES);
    }
    for (int32_t k = body.first; k < body.last; k++) { /* the fragment's word holds two halves, not one */
        if (!is_listed(s, k, &f->b) || !source_is(s, k + 1, "[") || !source_is(s, k + 4, "=")) continue;
        const struct range list = {k + 5, s->token[k + 5].match};
        char word[EXPRESSION_SIZE];
        if (!source_is(s, list.first, "{")) continue;
        const struct range first = operand_behind(s, list.first);
        if (!range_is_empty(first) && first.last + 1 == list.last)
            source_copy(s, first, word, sizeof word), edit_replace(l, FIX_WORDS, 1, list, "{%s, %s}", word, word);
        for (int32_t n = list.first + 1; n < list.last; n++)
            if (s->token[n].kind == TOKEN_NAME && !source_is(s, n + 1, "("))
                source_copy(s, range_of(n), word, sizeof word),
                    edit_replace(l, FIX_FORMAT, 1, list, "{%s, %s}", word, word);
        edit_replace(l, FIX_FORMAT, 1, list, "{%s, %s}", ONES, ONES);
    }
}
/* Initializes accumulators, and the fragments of lanes without elements, with zeros. */
static void zeros(struct edit_list *l, const struct fragments *f, struct range body) {
    const struct source *s = l->source;
    for (int32_t k = body.first; k + 1 < body.last; k++) {
        const bool a = is_listed(s, k, &f->a) && source_is(s, k - 1, "fragment"),
                   c = is_array_of(s, k, "float", "4") && is_listed(s, k, &f->c);
        const int32_t next = c ? s->token[k + 1].match + 1 : k + 1;
        if (!a && !c) continue;
        const char *open = a ? "{" : "", *close = a ? "}" : "";
        if (source_is(s, next, ";"))
            edit_add(l, FIX_ZEROS, 1, s->statement[s->token[k].statement].all,
                     &(struct edit_part){s->token[next].at, 0, (char *)(a ? " = {{0, 0, 0, 0}}" : " = {0, 0, 0, 0}")},
                     1);
        if (source_is(s, next, "=") && source_is(s, next + 1, "{"))
            edit_replace(l, FIX_ZEROS, 1, (struct range){next + 1, s->token[next + 1].match}, "%s%s%s", open, ZEROS,
                         close);
    }
}
/* Makes a declaration load its fragment only if the vector exists, and otherwise leaves zeros in the fragment. */
static void load_guarded(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    struct range argument[2];
    const int32_t call = all.first + 3;
    if (!source_is(s, all.first, "fragment") || !source_is(s, call, "load_fragment") || !source_in_block(s, at)) return;
    if (call_arguments(s, call, argument, 2) != 1 || s->token[call + 1].match + 1 != all.last) return;
    int32_t times = argument[0].first;
    while (times < argument[0].last && !source_is(s, times, "*")) times++;
    struct range vector = {times + 1, argument[0].last};
    if (is_listed(s, times + 1, &names->constants) || s->token[vector.first].kind == TOKEN_NUMBER) /* `k * WIDTH` */
        vector = (struct range){times - 1, times - 1};
    if (range_is_empty(vector)) return;
    if (source_is(s, vector.first, "(") && s->token[vector.first].match == vector.last) vector.first++, vector.last--;
    char k[EXPRESSION_SIZE], name[NAME_SIZE], load[2 * EXPRESSION_SIZE], text[4 * EXPRESSION_SIZE];
    source_copy(s, vector, k, sizeof k), source_copy(s, range_of(all.first + 1), name, sizeof name);
    source_copy(s, (struct range){call, all.last}, load, sizeof load);
    for (unsigned n = 0; n < names->counts.count; n++) {
        if (source_has(s, vector, names->counts.item[n])) continue;
        snprintf(text, sizeof text, " if (%s < %s) %s = %s", k, names->counts.item[n], name, load);
        edit_add(l, FIX_NO_GUARD, 1, all,
                 (struct edit_part[]){edit_part_of(s, (struct range){call, all.last - 1}, "{{0, 0, 0, 0}}"),
                                      {source_end(s, all), 0, text}},
                 2);
    }
}
/* Returns whether the function has a statement such as `b[word] = one;` for the array at token `name`. */
static bool sets_word(const struct source *s, int32_t function, int32_t name, bool word) {
    const struct range body = body_of(s, function);
    for (int32_t k = body.first; k + 4 < body.last; k++)
        if (source_same(s, k, name) && source_is(s, k + 1, "[") && source_is(s, k + 2, word ? "1" : "0") &&
            source_is(s, k + 4, "="))
            return true;
    return false;
}
/* Clears fragment `a` before `if (i < n) a = load_fragment(...)` in a loop: a lane without a vector would multiply the
 * old contents again. Also sets the other word after `b[0] = one;`. */
static void kept_fragments(struct edit_list *l, const struct fragments *f, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range all = st->all;
    char name[NAME_SIZE], value[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE];
    source_copy(s, range_of(all.first), name, sizeof name);
    if (is_listed(s, all.first, &f->a) && source_is(s, all.first + 1, "=") && st->parent >= 0) {
        const bool branch = s->statement[st->parent].kind == STATEMENT_IF;
        const struct range whole = branch ? s->statement[st->parent].all : all;
        if (branch) edit_insert(l, FIX_ZEROS, 1, whole.first, whole, "%s = %s; ", name, "{{0, 0, 0, 0}}");
    }
    if (is_listed(s, all.first, &f->b) && source_is(s, all.first + 1, "[") && source_is(s, all.first + 4, "=")) {
        source_copy(s, (struct range){all.first + 5, all.last - 1}, value, sizeof value);
        const bool other = source_is(s, all.first + 2, "0");
        snprintf(text, sizeof text, "%s[%d] = %s;", name, other, value);
        put_behind(l, sets_word(s, st->function, all.first, other) ? FIX_FORMAT : FIX_WORDS, 1, at, text);
        if (s->token[all.first + 5].kind == TOKEN_NUMBER)
            edit_replace(l, FIX_FORMAT, 1, (struct range){all.first + 5, all.last - 1}, "%s[%d]", name,
                         source_is(s, all.first + 2, "0"));
    }
}
/* Adds missing conversions from halves to floats. Removes conversions of sums to halves, because they lose
 * precision. */
static void halves(struct edit_list *l, const struct fragments *f, struct range body) {
    const struct source *s = l->source;
    for (int32_t k = body.first; k < body.last; k++) {
        struct range argument[2], inner[2];
        char text[EXPRESSION_SIZE];
        if (is_listed(s, k, &f->halves) && is_array_access(s, k + 1) && !source_is(s, k - 2, "half_to_float") &&
            !source_is(s, k - 1, "&")) {
            const struct range access = {k, s->token[k + 1].match};
            edit_replace(l, FIX_HALF_BITS, 1, access, "half_to_float(%s)", source_copy(s, access, text, sizeof text));
        }
        if (!source_is(s, k, "half_to_float") || call_arguments(s, k, argument, 2) != 1) continue;
        if (!source_is(s, argument[0].first, "float_to_half") || call_arguments(s, argument[0].first, inner, 2) != 1)
            continue;
        edit_replace(l, FIX_TYPE, 1, (struct range){k, s->token[k + 1].match}, "%s",
                     source_copy(s, inner[0], text, sizeof text));
    }
}
/* Changes a constant of the file to 8, the number of halves in a vector and in a lane's part of A. */
static void width(struct edit_list *l) {
    const struct source *s = l->source;
    for (int32_t k = 0; k + 4 < s->tokens; k++) {
        if (!source_is(s, k, "enum") || !source_is(s, k + 1, "{") || !source_is(s, k + 3, "=")) continue;
        const struct range value = operand_behind(s, k + 3), quoted = {k + 2, value.last};
        const struct edit_part part = edit_part_of(s, value, "8");
        if (!range_is_empty(value)) edit_add(l, FIX_VECTOR_WIDTH, 1, quoted, &part, 1);
    }
}

/* ---- layout of the accumulator -------------------------------------------------------------------------------- */
static void of_accumulator(struct edit_list *l, const struct names *names, const struct fragments *f, int32_t at) {
    static const char *const parts[] = {SUM_OF_ROWS, "%s[0] + %s[1]", "%s[0] + %s[1] + %s[2] + %s[3]", "%s[0]"};
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range all = st->all;
    char text[2 * EXPRESSION_SIZE], own[2 * EXPRESSION_SIZE], value[EXPRESSION_SIZE];
    for (unsigned n = 0; n < f->c.count; n++) {
        const char *c = f->c.item[n];
        if (st->kind != STATEMENT_PLAIN || !source_has(s, all, c) || source_has(s, all, "matrix_multiply")) continue;
        if (source_is(s, all.first, "float")) continue; /* a declaration */
        for (int32_t k = all.first; k < all.last; k++) {
            if (!source_is(s, k, "=") && !source_is(s, k, "+=")) continue;
            for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
                snprintf(value, sizeof value, parts[p], c, c, c, c);
                edit_replace(l, FIX_FRAGMENT, p ? 2 : 1, (struct range){k + 1, all.last - 1}, "%s", value);
            }
            break;
        }
        const int32_t block = st->parent, above = block >= 0 && s->statement[block].kind == STATEMENT_BLOCK &&
                                                          s->statement[block].parent >= 0 &&
                                                          s->statement[s->statement[block].parent].kind == STATEMENT_IF
                                                      ? s->statement[block].parent
                                                      : block;
        if (above >= 0 && s->statement[above].kind == STATEMENT_IF) {
            edit_replace(l, FIX_FRAGMENT, 1, s->statement[above].condition, "%s %% 4 == 0", f->lane);
            edit_replace(l, FIX_FRAGMENT, 2, s->statement[above].condition, "%s < 4", f->lane);
        } else if (!source_is(s, all.first, "value_t") && source_end(s, all) - source_begin(s, all) < sizeof own) {
            source_copy(s, all, own, sizeof own);
            int32_t equals = all.first;
            while (equals < all.last && !source_is(s, equals, "=") && !source_is(s, equals, "+=")) equals++;
            snprintf(value, sizeof value, SUM_OF_ROWS, c, c);
            edit_replace(l, FIX_FRAGMENT, 2, all, "if (%s %% 4 == 0) %.*s %s;", f->lane,
                         (int)(s->token[equals].at + s->token[equals].length - source_begin(s, all)), own, value);
            edit_replace(l, FIX_ALL_LANES, 1, all, "if (%s %% 4 == 0) %s", f->lane, own);
            edit_replace(l, FIX_FRAGMENT, 2, all, "if (%s < 4) %s", f->lane, own);
        }
    }
    const int32_t next = source_next(s, at); /* two consecutive statements: `x += c[0]; x += c[2];` */
    for (unsigned n = 0; n < f->c.count && next >= 0 && source_in_block(s, at); n++) {
        const struct range both = {all.first, s->statement[next].all.last};
        const bool two = st->kind == STATEMENT_PLAIN && s->statement[next].kind == STATEMENT_PLAIN &&
                         source_has(s, all, f->c.item[n]) && source_has(s, s->statement[next].all, f->c.item[n]) &&
                         !source_has(s, both, "matrix_multiply") && !is_declared(s, all.first + 1);
        if (two && source_end(s, both) - source_begin(s, both) < sizeof own)
            edit_replace(l, FIX_ALL_LANES, 1, both, "if (%s %% 4 == 0) { %s }", f->lane,
                         source_copy(s, both, own, sizeof own));
    }
    for (unsigned n = 0; n < f->c.count; n++)
        for (unsigned v = 0; v < names->values.count; v++) {
            snprintf(value, sizeof value, SUM_OF_ROWS, f->c.item[n], f->c.item[n]);
            snprintf(text, sizeof text, "if (%s %% 4 == 0) %s = combine(%s, %s);", f->lane, names->values.item[v],
                     names->values.item[v], value);
            sum_of_rows(l, at, text, f->c.item[n]);
        }
}

/* ---- loads and products -------------------------------------------------------------------------------------- */
/* Changes how a fragment is loaded: adds a guard, or loads from another address. */
static void loads(struct edit_list *l, const struct names *names, const struct fragments *f, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range all = st->all;
    char own[2 * EXPRESSION_SIZE], place[EXPRESSION_SIZE], loop[NAME_SIZE];
    if (st->kind != STATEMENT_PLAIN || !source_has(s, all, "load_fragment") ||
        source_end(s, all) - source_begin(s, all) >= sizeof own)
        return;
    source_copy(s, all, own, sizeof own);
    loop_variable_around(s, at, loop);
    char index[NAME_SIZE] = "";
    for (int32_t k = all.first; k < all.last && !*index; k++)
        if (is_listed(s, k, &names->counts)) source_copy(s, range_of(k), index, sizeof index);
    const char *const who[] = {loop, names->global, names->thread, index};
    enum { WHO = sizeof who / sizeof *who };
    const int32_t name = all.first + 1;
    const bool declares =
        is_listed(s, name, &f->a) && source_is(s, name - 1, "fragment") && source_is(s, name + 1, "=");
    for (unsigned w = 0; w < WHO; w++)
        for (unsigned c = 0; c < names->counts.count && *who[w]; c++) {
            const char *count = names->counts.item[c];
            if (!strcmp(count, who[w])) continue;
            if (declares)
                edit_replace(l, FIX_NO_GUARD, 1, all, "%.*s %.*s = {%s}; if (%s < %s) %s",
                             (int)s->token[name - 1].length, s->text + s->token[name - 1].at,
                             (int)s->token[name].length, s->text + s->token[name].at, ZEROS, who[w], count,
                             own + (s->token[name].at - s->token[all.first].at));
            else
                edit_replace(l, FIX_NO_GUARD, 1, all, "if (%s < %s) %s", who[w], count, own);
        }
    for (int32_t k = all.first; k < all.last; k++) {
        struct range argument[2];
        if (!source_is(s, k, "load_fragment") || call_arguments(s, k, argument, 2) != 1) continue;
        for (int32_t n = argument[0].first; n < argument[0].last; n++) {
            if (!source_is(s, n, "+") && !source_is(s, n, "[")) continue;
            const int32_t last = source_is(s, n, "[") ? s->token[n].match - 1 : argument[0].last;
            source_copy(s, (struct range){n + 1, last}, place, sizeof place);
            for (unsigned c = 0; c < names->constants.count; c++)
                edit_replace(l, FIX_INDEX, 1, (struct range){n + 1, last}, "%s * (%s)", names->constants.item[c],
                             place);
            if (!names->constants.count) edit_replace(l, FIX_INDEX, 1, (struct range){n + 1, last}, "8 * (%s)", place);
            break;
        }
    }
}
/* Adds a product of the function's fragments to a loop body. */
static void products(struct edit_list *l, const struct fragments *f, int32_t at) {
    char text[EXPRESSION_SIZE];
    for (unsigned a = 0; a < f->a.count; a++)
        for (unsigned b = 0; b < f->b.count; b++)
            for (unsigned c = 0; c < f->c.count; c++) {
                snprintf(text, sizeof text, "matrix_multiply(%s, %s.word, %s);", f->c.item[c], f->a.item[a],
                         f->b.item[b]);
                put_behind(l, FIX_MISSING_STEP, 1, at, text);
            }
}
/* Changes the arguments of a matrix product. */
static void places(struct edit_list *l, const struct fragments *f, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    if (s->statement[at].kind != STATEMENT_PLAIN || !source_is(s, all.first, "matrix_multiply")) return;
    for (unsigned a = 0; a < f->a.count; a++)
        for (unsigned b = 0; b < f->b.count; b++)
            for (unsigned c = 0; c < f->c.count; c++)
                edit_replace(l, FIX_FRAGMENT, 1, (struct range){all.first + 2, all.last - 2}, "%s, %s.word, %s",
                             f->c.item[c], f->a.item[a], f->b.item[b]);
}
/* Returns `i` for `i / 32`, a number of whole warps, and any other range unchanged. */
static struct range without_warps(const struct source *s, struct range r) {
    const bool warps = r.last >= r.first + 2 && source_is(s, r.last - 1, "/") && is_warp_size(s, r.last);
    return warps ? (struct range){r.first, r.last - 2} : r;
}
/* Rewrites a loop with the condition `i < n` or `i / 32 < n / 32` that loads a fragment without a guard. In the new
 * loop, all lanes of a warp continue while any of them has a vector. Lanes without a vector get zeros. */
static void stay_and_load(struct edit_list *l, const struct fragments *f, int32_t loop, int32_t op) {
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op), whole = without_warps(s, left),
                       most = without_warps(s, right);
    char index[EXPRESSION_SIZE], bound[EXPRESSION_SIZE], rest[EXPRESSION_SIZE], name[NAME_SIZE];
    char stays[2 * EXPRESSION_SIZE], load[4 * EXPRESSION_SIZE];
    source_copy(s, whole, index, sizeof index), source_copy(s, most, bound, sizeof bound);
    snprintf(stays, sizeof stays, "%s - %s < %s", index, f->lane, bound);
    const enum fix_cause cause = most.last < right.last ? FIX_ROUND_UP : FIX_PRODUCT_IN_BRANCH;
    for (int32_t k = 0; k < s->statements; k++) {
        const struct range all = s->statement[k].all, value = {all.first + 3, all.last};
        if (s->statement[k].parent != s->statement[loop].body || !source_is(s, all.first, "fragment")) continue;
        if (!source_is(s, all.first + 2, "=") || !source_is(s, value.first, "load_fragment")) continue;
        source_copy(s, range_of(all.first + 1), name, sizeof name);
        snprintf(load, sizeof load, "fragment %s = {%s}; if (%s < %s) %s = %s", name, ZEROS, index, bound, name,
                 source_copy(s, value, rest, sizeof rest));
        edit_add(l, cause, 1, head_of(s, loop),
                 (struct edit_part[]){edit_part_of(s, (struct range){left.first, right.last}, stays),
                                      edit_part_of(s, all, load)},
                 2);
    }
}
/* Returns the part that fills the fragment of a product with zeros where it is declared, or a part without a text if
 * the declaration has an initial value. */
static struct edit_part zeros_of(const struct source *s, struct range product) {
    for (int32_t k = product.first - 1; k > 1; k--) {
        bool used = false;
        for (int32_t n = product.first; n < product.last; n++) used |= source_same(s, n, k) && source_is(s, n + 1, ".");
        if (used && source_is(s, k - 1, "fragment"))
            return (struct edit_part){source_end(s, range_of(k)), 0,
                                      source_is(s, k + 1, ";") ? (char *)" = {{0, 0, 0, 0}}" : NULL};
    }
    return (struct edit_part){0, 0, NULL};
}
/* Makes all lanes multiply: moves the product out of a branch, or makes a loop continue while any lane of the warp has
 * elements. */
static void all_lanes(struct edit_list *l, const struct fragments *f, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 1];
    if (!source_is(s, all.first, "matrix_multiply") || s->statement[at].kind != STATEMENT_PLAIN) return;
    if (source_end(s, all) - source_begin(s, all) >= sizeof own) return;
    snprintf(text, sizeof text, " %s", source_copy(s, all, own, sizeof own));
    const struct edit_part zeros = zeros_of(s, all);
    for (int32_t k = s->statement[at].parent; k >= 0; k = s->statement[k].parent) {
        const struct statement *st = &s->statement[k];
        if (st->kind == STATEMENT_IF)
            edit_add(
                l, FIX_PRODUCT_IN_BRANCH, 1, head_of(s, k),
                (struct edit_part[]){{source_begin(s, all), source_end(s, all) - source_begin(s, all), (char *)";"},
                                     {source_end(s, st->all), 0, text}},
                2);
        if (st->kind == STATEMENT_IF && zeros.text && zeros.at < source_begin(s, st->all))
            edit_add(
                l, FIX_PRODUCT_IN_BRANCH, 1, head_of(s, k),
                (struct edit_part[]){zeros,
                                     {source_begin(s, all), source_end(s, all) - source_begin(s, all), (char *)";"},
                                     {source_end(s, st->all), 0, text}},
                3);
        for (int32_t op = st->condition.first; loop_around(s, k) == k && op <= st->condition.last; op++) {
            if (!source_is(s, op, "<")) continue;
            const struct range left = operand_before(s, op);
            char index[EXPRESSION_SIZE];
            if (range_is_empty(left)) continue;
            source_copy(s, left, index, sizeof index);
            if (left.last > left.first + 1 && source_is(s, left.last, f->lane) && source_is(s, left.last - 1, "+"))
                edit_add(l, FIX_PRODUCT_IN_BRANCH, 1, left,
                         &(struct edit_part){source_end(s, range_of(left.last - 2)),
                                             source_end(s, left) - source_end(s, range_of(left.last - 2)), (char *)""},
                         1);
            else
                edit_replace(l, FIX_PRODUCT_IN_BRANCH, 1, left, "%s - %s", index, f->lane);
            edit_replace(l, FIX_PRODUCT_IN_BRANCH, 2, left, "(%s) / 32 * 32", index);
            stay_and_load(l, f, k, op);
        }
    }
}
/* In statements after a loop that need the first value of its variable, replaces the variable with its initializer. */
static void before_the_loop(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    struct loop loop;
    if (!loop_of(s, at, &loop) || !*loop.variable) return;
    const struct range body = body_of(s, st->function);
    struct range first = {0, -1};
    for (int32_t k = body.first; k < st->all.first; k++)
        if (source_is(s, k, loop.variable) && source_is(s, k + 1, "=") && is_declared(s, k))
            first = operand_behind(s, k + 1);
    if (range_is_empty(first)) return;
    char begin[EXPRESSION_SIZE], text[3 * EXPRESSION_SIZE];
    source_copy(s, first, begin, sizeof begin);
    for (int32_t n = at + 1; n < s->statements; n++) {
        struct range all = s->statement[n].all;
        if (s->statement[n].parent != st->parent || s->statement[n].kind != STATEMENT_PLAIN) continue;
        for (int32_t k = all.last--; k > all.first; k--)
            if (source_is(s, k, "=")) all.first = k + 1;
        size_t used = 0;
        bool any = false;
        for (int32_t k = all.first; k <= all.last && used < sizeof text; k++) {
            const struct token *t = &s->token[k];
            const uint32_t gap = k > all.first ? t->at - s->token[k - 1].at - s->token[k - 1].length : 0;
            const bool is_it = source_is(s, k, loop.variable) && !source_is(s, k - 1, ".");
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%s%.*s%s", (int)gap, s->text + t->at - gap,
                                     is_it ? "(" : "", is_it ? (int)strlen(begin) : (int)t->length,
                                     is_it ? begin : s->text + t->at, is_it ? ")" : "");
            any |= is_it;
        }
        if (any && used < sizeof text) edit_replace(l, FIX_SEQUENCE, 2, all, "%s", text);
    }
}
/* Returns the token of this name in the range, or -1 if there is not exactly one. */
static int32_t only_use(const struct source *s, struct range body, const char *name) {
    int32_t only = -1;
    for (int32_t k = body.first; k <= body.last; k++) {
        if (!source_is(s, k, name)) continue;
        if (only >= 0) return -1;
        only = k;
    }
    return only;
}
/* Combines the returned value with each value that is set but never read; if there are several, also with all of
 * them. */
static void into_return(struct edit_list *l, const struct names *names, struct range body, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    char own[EXPRESSION_SIZE], every[3 * EXPRESSION_SIZE];
    if (s->statement[at].kind != STATEMENT_RETURN || all.last < all.first + 2) return;
    const struct range value = {all.first + 1, all.last - 1};
    if (!has_one_of(s, value, &names->values)) return;
    source_copy(s, value, own, sizeof own);
    strcpy(every, own);
    for (unsigned k = 0, count = 0; k < names->values.count; k++) {
        const char *name = names->values.item[k];
        const int32_t first = only_use(s, body, name);
        if (first < 0) continue;
        const struct range quoted = s->statement[s->token[first].statement].all;
        const uint32_t from = source_begin(s, value), size = source_end(s, value) - from;
        char text[4 * EXPRESSION_SIZE];
        snprintf(text, sizeof text, "combine(%s, %s)", own, name);
        edit_add(l, FIX_NOT_KEPT, 1, quoted, &(struct edit_part){from, size, text}, 1);
        snprintf(text, sizeof text, "combine(%s, %s)", every, name);
        if (count++) edit_add(l, FIX_NOT_KEPT, 1, quoted, &(struct edit_part){from, size, text}, 1);
        if (strlen(text) < sizeof every) strcpy(every, text);
    }
}
void rules_fragments(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    struct fragments f;
    names_of(s, function, &names);
    read_fragments(s, &names, function, &f);
    if (f.has_halves) halves(l, &f, body);
    for (int32_t k = 0; k < s->statements; k++) {
        if (s->statement[k].function != function || s->statement[k].parent < 0) continue;
        before_the_loop(l, k), into_return(l, &names, body, k);
        if (s->statement[k].kind == STATEMENT_PLAIN) kept_fragments(l, &f, k);
    }
    if (!f.multiplies || (!f.a.count && !f.c.count)) return;
    ones(l, &f, body), zeros(l, &f, body), width(l);
    const bool multiplies = source_has(s, body, "matrix_multiply");
    for (int32_t k = 0; k < s->statements; k++) {
        if (s->statement[k].function != function || s->statement[k].parent < 0) continue;
        of_accumulator(l, &names, &f, k), loads(l, &names, &f, k), places(l, &f, k), all_lanes(l, &f, k);
        load_guarded(l, &names, k);
        if (!multiplies) products(l, &f, k);
    }
}
