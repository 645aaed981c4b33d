/* Generates edits that correct mistakes visible in the text alone, such as missing parentheses or braces. The costs are
 * low, so these edits are tried first. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

/* ---- the order in which operators are evaluated ------------------------------------------------------------------ */
/* Returns the first of these binary operators in the range, outside brackets, or the last one if `last`. Returns -1 if
 * there is none. */
static int32_t infix_in(const struct source *s, struct range r, const char *const signs[3], bool last) {
    int32_t found = -1;
    for (int32_t k = r.first; k <= r.last && (last || found < 0); k++) {
        const bool follows_operand =
            k > r.first && (s->token[k - 1].kind != TOKEN_SIGN || source_is(s, k - 1, ")") || source_is(s, k - 1, "]"));
        for (unsigned n = 0; n < 3 && follows_operand; n++)
            if (*signs[n] && source_is(s, k, signs[n])) found = k;
        if (s->token[k].match > k) k = s->token[k].match;
    }
    return found;
}
/* The expressions of a function that need parentheses, in file order. */
struct in_parentheses {
    struct edit_part part[EDIT_PARTS];
    char text[EDIT_PARTS][EXPRESSION_SIZE + 2];
    struct range first; /* the expression around the first part */
    unsigned count;
};
static void parenthesize(struct edit_list *l, struct in_parentheses *all, struct range r, struct range quoted) {
    const struct source *s = l->source;
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 2];
    snprintf(text, sizeof text, "(%s)", source_copy(s, r, own, sizeof own));
    const struct edit_part part = edit_part_of(s, r, text);
    edit_add(l, FIX_PRECEDENCE, 0, quoted, &part, 1);
    const struct edit_part *last = all->count ? &all->part[all->count - 1] : NULL;
    if (all->count == EDIT_PARTS || (last && part.at < last->at + last->removed)) return;
    if (!all->count) all->first = quoted;
    strcpy(all->text[all->count], text);
    all->part[all->count] = edit_part_of(s, r, all->text[all->count]), all->count++;
}
/* Puts `a & b` in `a & b == c` into parentheses, and `a << b` in `a << b + c`. */
static void precedence(struct edit_list *l, struct in_parentheses *found, int32_t op) {
    static const char *const bits[3] = {"&", "|", "^"}, *const sums[3] = {"+", "-", ""};
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op), all = {left.first, right.last};
    if (range_is_empty(left) || range_is_empty(right)) return;
    if (is_comparison(s, op)) {
        if (infix_in(s, left, bits, false) >= 0) parenthesize(l, found, left, all);
        if (infix_in(s, right, bits, false) >= 0) parenthesize(l, found, right, all);
    }
    if (source_is(s, op, "<<") || source_is(s, op, ">>")) {
        const int32_t before = infix_in(s, left, sums, true), behind = infix_in(s, right, sums, false);
        const struct range shift = {before < 0 ? left.first : before + 1, behind < 0 ? right.last : behind - 1};
        if (before >= 0 || behind >= 0) parenthesize(l, found, shift, all);
    }
}

/* ---- braces ------------------------------------------------------------------------------------------------------ */
/* Returns whether the layout suggests that the statement belongs to the body before it: both are on one line, or both
 * are indented equally and more than the head. */
static bool looks_inside(const struct source *s, int32_t head, int32_t body, int32_t statement) {
    const int32_t first = s->statement[body].all.first, token = s->statement[statement].all.first;
    if (s->token[first].line == s->token[token].line) return true;
    return source_begins_line(s, first) && source_begins_line(s, token) &&
           source_indentation(s, first) > source_indentation(s, s->statement[head].all.first) &&
           source_indentation(s, first) == source_indentation(s, token);
}
/* Encloses statements in braces if all are indented like the body of an if or a loop, but only the first one is in
 * it. */
static void missing_braces(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->body < 0 || st->kind == STATEMENT_DO || s->statement[st->body].kind == STATEMENT_BLOCK) return;
    if (st->all.last != s->statement[st->body].all.last) return;     /* there is an else */
    if (source_is(s, s->statement[st->body].all.first, ";")) return; /* the semicolon is the mistake */
    int32_t last = -1;
    for (int32_t next = source_next(s, at); next >= 0 && looks_inside(s, at, st->body, next);
         next = source_next(s, next))
        last = next;
    if (last < 0) return;
    const struct range head = {st->all.first, st->condition.last + 1};
    const uint32_t open = s->token[s->statement[st->body].all.first - 1].at + 1;
    const struct edit_part parts[] = {{open, 0, (char *)" {"},
                                      {source_end(s, s->statement[last].all), 0, (char *)" }"}};
    edit_add(l, FIX_NO_BRACES, 0, head, parts, 2);
}

/* ---- arguments, indices and differences ------------------------------------------------------------------------- */
/* Removes the width of a shuffle. */
static void width(struct edit_list *l, int32_t call) {
    const struct source *s = l->source;
    struct range a[4];
    if (!source_shuffles(s, range_of(call)) || call_arguments(s, call, a, 4) != 4) return;
    const uint32_t from = source_end(s, a[2]);
    edit_add(l, FIX_WIDTH, 0, (struct range){call, s->token[call + 1].match},
             &(struct edit_part){from, source_end(s, a[3]) - from, (char *)""}, 1);
}
/* Swaps the indices of the thread and of the block in `threadIdx.x * blockDim.x + blockIdx.x`. */
static void swapped_indices(struct edit_list *l, const struct names *names, int32_t op) {
    const struct source *s = l->source;
    const struct range left = operand_before(s, op), right = operand_behind(s, op);
    struct range thread = {0, -1}, block = {0, -1};
    char texts[2][NAME_SIZE];
    unsigned threads = 0, blocks = 0;
    if (range_is_empty(left) || range_is_empty(right)) return;
    for (int32_t k = left.first; k <= right.last; k++) {
        if (source_is(s, k, "threadIdx")) thread = (struct range){k, k + 2}, threads++;
        if (*names->thread && source_is(s, k, names->thread)) thread = range_of(k), threads++;
        if (source_is(s, k, "blockIdx")) block = (struct range){k, k + 2}, blocks++;
    }
    if (threads != 1 || blocks != 1 || !source_has(s, (struct range){left.first, right.last}, "*")) return;
    /* The right form multiplies the block's index, not the thread's. */
    if (!source_is(s, thread.first - 1, "*") && !source_is(s, thread.last + 1, "*")) return;
    source_copy(s, thread, texts[0], NAME_SIZE), source_copy(s, block, texts[1], NAME_SIZE);
    const struct edit_part there = edit_part_of(s, thread, texts[1]), here = edit_part_of(s, block, texts[0]);
    const bool first = thread.first < block.first;
    edit_add(l, FIX_SWAPPED, 0, (struct range){left.first, right.last},
             (struct edit_part[]){first ? there : here, first ? here : there}, 2);
}
/* Replaces the difference `n - begin` with 0 where it would be negative, `t < n - begin` with `begin + t < n`, and `a -
 * b < 0` with `a < b`. */
static void underflow(struct edit_list *l, int32_t op) {
    const struct source *s = l->source;
    const struct range right = operand_behind(s, op), all = {op - 1, right.last};
    char less[EXPRESSION_SIZE], from[NAME_SIZE], other[EXPRESSION_SIZE];
    const struct range before = operand_before(s, op);
    if (is_comparison(s, right.last + 1) && source_is(s, right.last + 2, "0") && !range_is_empty(before)) {
        char sign[4]; /* `a - b < 0` is never true */
        source_copy(s, before, other, sizeof other), source_copy(s, right, less, sizeof less);
        edit_replace(l, FIX_UNDERFLOW, 1, (struct range){before.first, right.last + 2}, "%s %s %s", other,
                     source_copy(s, range_of(right.last + 1), sign, sizeof sign), less);
    }
    if (s->token[op - 1].kind != TOKEN_NAME || range_is_empty(right) || s->token[right.first].kind == TOKEN_NUMBER)
        return;
    if (!(roles_in(s, range_of(op - 1)) & ROLE_SIZE) || operand_before(s, op).first != op - 1) return;
    source_copy(s, range_of(op - 1), from, sizeof from), source_copy(s, right, less, sizeof less);
    const bool whole = (source_is(s, op - 2, "(") || source_is(s, op - 2, ",") || source_is(s, op - 2, "=")) &&
                       s->token[right.last + 1].kind == TOKEN_SIGN && !is_comparison(s, right.last + 1) &&
                       !source_is(s, right.last + 1, "?");
    edit_replace(l, FIX_UNDERFLOW, 1, all, whole ? "%s > %s ? %s - %s : 0" : "(%s > %s ? %s - %s : 0)", from, less,
                 from, less);
    if (!source_is(s, op - 2, "<")) return;
    const struct range left = operand_before(s, op - 2);
    if (!range_is_empty(left))
        edit_replace(l, FIX_UNDERFLOW, 1, (struct range){left.first, right.last}, "%s + %s < %s", less,
                     source_copy(s, left, other, sizeof other), from);
}
/* Turns `i <= n - 1` into `i < n`, `i > n - 1` into `i >= n`, and `n - 1 >= i` into `n > i`: n - 1 wraps around if n is
 * 0. A name may stand for the difference, as in `last = n - 1`; the edit then replaces the name in the comparison. */
static void last_index(struct edit_list *l, struct range body, int32_t op) {
    static const struct {
        const char *sign, *now;
    } right[] = {{"<=", "<"}, {">", ">="}}, left[] = {{">=", ">"}, {"<", "<="}};
    const struct source *s = l->source;
    const struct range before = operand_before(s, op), all = {before.first, op + 1};
    if (!source_is(s, op + 1, "1") || range_is_empty(before) || !(roles_in(s, before) & ROLE_SIZE)) return;
    if (operand_behind(s, op).last != op + 1) return;
    char size[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 4];
    source_copy(s, before, size, sizeof size);
    const int32_t name = before.first - 2;
    const bool named = source_is(s, name + 1, "=") && s->token[name].kind == TOKEN_NAME && is_declared(s, name);
    struct edit_part parts[EDIT_PARTS];
    char texts[EDIT_PARTS][sizeof text];
    unsigned count = 0;
    for (int32_t k = named ? op : all.first - 1; k < (named ? body.last : all.last + 2); k++) {
        const struct range behind = operand_behind(s, k), ahead = operand_before(s, k);
        const bool is_right = named ? behind.first == behind.last && source_same(s, behind.first, name)
                                    : behind.first == all.first && behind.last == all.last,
                   is_left = named ? ahead.first == ahead.last && source_same(s, ahead.first, name)
                                   : ahead.first == all.first && ahead.last == all.last;
        for (unsigned n = 0; n < 2 && (is_right || is_left) && is_comparison(s, k); n++) {
            if (!source_is(s, k, is_right ? right[n].sign : left[n].sign)) continue;
            if (is_right)
                snprintf(text, sizeof text, "%s %s", right[n].now, size);
            else
                snprintf(text, sizeof text, "%s %s", size, left[n].now);
            const struct range changed = {is_right ? k : ahead.first, is_right ? behind.last : k};
            const struct edit_part part = edit_part_of(s, changed, text);
            edit_add(l, FIX_UNDERFLOW, 1, named ? s->statement[s->token[name].statement].all : all, &part, 1);
            if (count == EDIT_PARTS) continue;
            strcpy(texts[count], text), parts[count] = edit_part_of(s, changed, texts[count]), count++;
        }
    }
    if (named && count > 1) edit_add(l, FIX_UNDERFLOW, 1, s->statement[s->token[name].statement].all, parts, count);
}

/* ---- statements ------------------------------------------------------------------------------------------------- */
/* Moves a barrier after `if (!last) return;` to before the return. */
static void late_barrier(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t next = source_next(s, at);
    char text[4 * EXPRESSION_SIZE], own[EXPRESSION_SIZE], gap[EXPRESSION_SIZE];
    if (st->kind != STATEMENT_IF || st->body < 0 || next < 0) return;
    if (!source_is(s, s->statement[next].all.first, "__syncthreads")) return;
    const struct range body = s->statement[st->body].all, barrier = s->statement[next].all,
                       both = {st->all.first, barrier.last};
    if (!source_is(s, body.last - (source_is(s, body.last, "}") ? 2 : 1), "return") || body.last != st->all.last)
        return;
    snprintf(gap, sizeof gap, "%.*s", (int)(source_begin(s, barrier) - source_end(s, st->all)),
             s->text + source_end(s, st->all));
    snprintf(text, sizeof text, "__syncthreads();%s%s", gap, source_copy(s, st->all, own, sizeof own));
    const struct edit_part part = edit_part_of(s, both, text);
    edit_add(l, FIX_BARRIER_TOO_LATE, 0, st->all, &part, 1);
}
/* Removes the else of `if (i < head) ...; else if (i < tail) ...`. */
static void without_else(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->kind != STATEMENT_IF || st->body < 0) return;
    const int32_t word = s->statement[st->body].all.last + 1;
    if (!source_is(s, word, "else") || !source_is(s, word + 1, "if")) return;
    const struct range condition = {word, s->token[word + 2].match};
    if (!depends_on_the_thread(s, st->condition) || !depends_on_the_thread(s, condition)) return;
    edit_add(l, FIX_ELSE, 1, condition,
             &(struct edit_part){s->token[word].at, s->token[word + 1].at - s->token[word].at, (char *)""}, 1);
}
/* Returns whether the range names an array into which the kernel stores results. */
static bool mentions_output(const struct source *s, const struct names *names, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (is_listed(s, k, &names->outputs)) return true;
    return false;
}
/* Lets one thread of each block store to its own element instead of one thread of the grid: changes `if (blockIdx.x ==
 * 0 && t == 0) partial[0] = x;`. */
static void one_block_stores(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range c = st->condition;
    if (st->kind != STATEMENT_IF || st->body < 0) return;
    const struct range body = s->statement[st->body].all;
    if (!mentions_output(s, names, body)) return;
    for (int32_t op = c.first; op <= c.last; op++) {
        const struct range r = conjunct_of(s, c, op);
        if (!source_is(s, op, "==") || roles_in(s, r) != ROLE_BLOCK) continue;
        const bool first = r.first == c.first, alone = first && r.last == c.last;
        const uint32_t from = first ? source_begin(s, c) : source_end(s, range_of(r.first - 2)),
                       to = first && !alone ? s->token[r.last + 2].at : source_end(s, r);
        char one[NAME_SIZE + 8];
        snprintf(one, sizeof one, "%s == 0", *names->thread ? names->thread : "threadIdx.x");
        struct edit_part parts[2] = {{from, to - from, alone ? one : (char *)""}};
        const enum fix_cause cause = has_draw(s, body_of(s, st->function)) ? FIX_ANY_BLOCK : FIX_ONE_BLOCK;
        edit_add(l, cause, 0, (struct range){st->all.first, c.last + 1}, parts, 1);
        for (int32_t k = body.first; k < body.last; k++) {
            const int32_t open = k + 1, close = source_is(s, open, "[") ? s->token[open].match : -1;
            if (!is_listed(s, k, &names->outputs) || close <= open + 1 || !source_is(s, close + 1, "=")) continue;
            parts[1] = edit_part_of(s, (struct range){open + 1, close - 1}, "blockIdx.x");
            edit_add(l, FIX_ONE_BLOCK, 0, (struct range){st->all.first, c.last + 1}, parts, 2);
            break;
        }
    }
}
/* Lets thread 0 of each block store the result, not only thread 0 of the grid: changes `if (i == 0) partial[blockIdx.x]
 * = n > 0 ? x[0] : identity();`, where i depends on block and thread. */
static void first_of_grid_stores(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range c = st->condition, head = {st->all.first, c.last + 1};
    if (st->kind != STATEMENT_IF || st->body < 0) return;
    const struct range body = s->statement[st->body].all;
    if (!mentions_output(s, names, body)) return;
    for (int32_t op = c.first; op <= c.last; op++) {
        const int32_t index = op - 1;
        if (!source_is(s, op, "==") || !source_is(s, op + 1, "0") || s->token[index].kind != TOKEN_NAME) continue;
        if (operand_before(s, op).first != index || roles_in(s, range_of(index)) != (ROLE_BLOCK | ROLE_THREAD))
            continue;
        const char *t = *names->thread ? names->thread : "threadIdx.x";
        char name[NAME_SIZE], exists[EXPRESSION_SIZE];
        source_copy(s, range_of(index), name, sizeof name);
        struct edit_part parts[EDIT_PARTS] = {edit_part_of(s, range_of(index), t)};
        unsigned count = 1;
        edit_add(l, FIX_ONE_BLOCK, 1, head, parts, 1);
        for (int32_t k = body.first; k < body.last && count < EDIT_PARTS; k++) {
            const bool guard = source_is(s, k + 1, ">") && source_is(s, k + 2, "0") && s->token[k].kind == TOKEN_NAME;
            const int32_t close = is_array_access(s, k) ? s->token[k].match : -1;
            const bool first = close == k + 2 && source_is(s, k + 1, "0"), stored = source_is(s, close + 1, "=");
            if (guard) {
                char n[NAME_SIZE];
                snprintf(exists, sizeof exists, "%s < %s", name, source_copy(s, range_of(k), n, sizeof n));
                parts[count++] = edit_part_of(s, (struct range){k, k + 2}, exists);
            } else if (first)
                parts[count++] = edit_part_of(s, range_of(k + 1), stored ? "blockIdx.x" : name);
        }
        if (count > 1) edit_add(l, FIX_ONE_BLOCK, 0, head, parts, count);
    }
}
/* Turns all comparisons with NAN or (float)NAN into comparisons of the value with itself, such as `x == NAN` into
 * `x != x`. */
static void compared_with_nan(struct edit_list *l, struct range body) {
    const struct source *s = l->source;
    struct edit_part parts[EDIT_PARTS];
    char text[EDIT_PARTS][2 * EXPRESSION_SIZE + 4], value[EXPRESSION_SIZE];
    struct range quoted = body;
    unsigned count = 0;
    for (int32_t k = body.first + 1; k < body.last && count < EDIT_PARTS; k++) {
        const bool equal = source_is(s, k, "==");
        if (!equal && !source_is(s, k, "!=")) continue;
        const struct range left = operand_before(s, k), right = operand_behind(s, k), all = {left.first, right.last};
        const struct range own = source_has(s, left, "NAN") ? right : left;
        if (range_is_empty(left) || range_is_empty(right) || !source_has(s, all, "NAN")) continue;
        if (source_has(s, own, "NAN") || source_end(s, own) - source_begin(s, own) >= sizeof value) continue;
        source_copy(s, own, value, sizeof value);
        snprintf(text[count], sizeof text[count], "%s %s %s", value, equal ? "!=" : "==", value);
        if (!count) quoted = all;
        parts[count] = edit_part_of(s, all, text[count]), count++;
    }
    if (count) edit_add(l, FIX_EQUALS_NAN, 0, quoted, parts, count);
}
/* Calls a member of the cluster, as in `cluster.block_rank > 0`: compilers accept the name of a static function. */
static void not_called(struct edit_list *l, int32_t name) {
    static const char *const members[] = {"block_rank", "num_blocks", "thread_rank", "num_threads"};
    const struct source *s = l->source;
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        if (source_is(s, name, members[k]) && source_is(s, name - 1, ".") && !source_is(s, name + 1, "("))
            edit_replace(l, FIX_NOT_CALLED, 0, (struct range){name - 2, name}, "%s.%s()",
                         source_copy(s, range_of(name - 2), (char[NAME_SIZE]){0}, NAME_SIZE), members[k]);
}
/* Returns the last statement at the top level of the function's body, or -1. */
static int32_t last_statement(const struct source *s, int32_t function) {
    int32_t last = -1;
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].parent == s->function[function].body) last = k;
    return last;
}
/* Adds a return to the end of a function that should return a value, but has no return. */
static void missing_return(struct edit_list *l, const struct names *names, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    const int32_t last = last_statement(s, function), type = s->function[function].name.first - 1;
    if (type < 0 || !source_is(s, type, "value_t") || last < 0 || source_has(s, body, "return")) return;
    const struct statement *st = &s->statement[last];
    const struct range head = {st->all.first, st->condition.last + 1};
    for (unsigned k = 0; k < names->values.count; k++)
        edit_insert(l, FIX_NO_RETURN, 0, body.last, range_is_empty(st->condition) ? st->all : head, "    return %s;\n",
                    names->values.item[k]);
    if (*names->shared)
        edit_insert(l, FIX_NO_RETURN, 0, body.last, range_is_empty(st->condition) ? st->all : head,
                    "    return %s[0];\n", names->shared);
}
void rules_evident(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    struct names names;
    struct in_parentheses found = {.count = 0};
    names_of(s, function, &names);
    for (int32_t k = body.first + 1; k < body.last; k++) {
        precedence(l, &found, k);
        if (s->token[k].kind == TOKEN_NAME) width(l, k), not_called(l, k);
        if (source_is(s, k, "+")) swapped_indices(l, &names, k);
        if (source_is(s, k, "-")) underflow(l, k), last_index(l, body, k);
    }
    compared_with_nan(l, body), missing_return(l, &names, function);
    if (found.count > 1) edit_add(l, FIX_PRECEDENCE, 0, found.first, found.part, found.count);
    for (int32_t k = 0; k < s->statements; k++) {
        if (s->statement[k].function != function) continue;
        missing_braces(l, k), late_barrier(l, k), one_block_stores(l, &names, k), first_of_grid_stores(l, &names, k),
            without_else(l, k);
    }
}
