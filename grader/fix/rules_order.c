/* Generates edits to the order of code and elements. Statements may execute too early, too late or too often. */
#include "fix/loops.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 6 };
static const char *who_of(const struct names *names) { return *names->thread ? names->thread : names->lane; }

/* ---- statements of a loop body ------------------------------------------------------------------------------ */
/* Moves a statement to byte `to`: before another statement or, if `behind`, after one. */
static void moved(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range r, uint32_t to, bool behind) {
    const struct source *s = l->source;
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 2];
    if (source_end(s, r) - source_begin(s, r) >= sizeof own) return;
    source_copy(s, r, own, sizeof own);
    snprintf(text, sizeof text, behind ? " %s" : "%s ", own);
    const struct edit_part gone = edit_part_of(s, r, ""), here = {to, 0, text};
    const struct edit_part down[] = {gone, here}, up[] = {here, gone};
    edit_add(l, cause, cost, r, to < gone.at ? up : down, 2);
}
/* Moves `count = count / 2;` from the end of a loop body to its beginning, or the other way around. */
static void step_moved(struct edit_list *l, const struct loop *loop, int32_t body) {
    const struct source *s = l->source;
    int32_t first = -1, last = -1, step = -1;
    for (int32_t k = body + 1; k < s->statements; k++) {
        if (s->statement[k].parent != body) continue;
        if (first < 0) first = k;
        if (s->statement[k].all.first == loop->step.first) step = k;
        last = k;
    }
    if (step < 0 || first == last) return;
    const struct range own = s->statement[step].all;
    if (step != first) moved(l, FIX_SEQUENCE, 2, own, source_begin(s, s->statement[first].all), false);
    if (step != last) moved(l, FIX_SEQUENCE, 2, own, source_end(s, s->statement[last].all), true);
}
/* Moves `sum = identity();` or `for (...) c[k] = 0;` from a loop body to before the loop. */
static void out_of_loop(struct edit_list *l, const struct loop *loop, int32_t at, int32_t whole) {
    const struct source *s = l->source;
    const int32_t inner = loop_around(s, whole) == whole ? s->statement[whole].body : -1,
                  statement = inner < 0 ? whole : inner + (s->statement[inner].kind == STATEMENT_BLOCK);
    if (statement >= s->statements) return;
    const struct range all = s->statement[statement].all;
    const bool constant = s->token[all.last - 1].kind == TOKEN_NUMBER || source_is(s, all.last - 3, "identity");
    if (s->statement[statement].kind != STATEMENT_PLAIN || !constant || source_is(s, all.first, loop->variable)) return;
    if (is_set(s, all.first) || source_is(s, all.first + 1, "["))
        moved(l, FIX_RESTARTS, 1, s->statement[whole].all, source_begin(s, s->statement[at].all), false);
}

/* Returns whether the statement computes a value from a variable that the loop changes, and whether only the loop's
 * body uses this value. */
static bool is_of_iteration(const struct source *s, int32_t at, int32_t loop) {
    const struct range all = s->statement[at].all, around = s->statement[loop].all,
                       body = s->statement[s->statement[loop].body].all,
                       function = body_of(s, s->statement[at].function);
    int32_t name = all.first;
    while (name < all.last && !source_is(s, name + 1, "=")) name++;
    if (name == all.last || !is_declared(s, name) || source_has(s, all, ",") || source_has(s, all, "[")) return false;
    bool changes = false;
    for (int32_t k = name + 2; k < all.last; k++)
        for (int32_t n = around.first; n < around.last && s->token[k].kind == TOKEN_NAME; n++)
            changes |= source_same(s, n, k) && is_set(s, n);
    for (int32_t k = all.last; k < function.last; k++)
        if (source_same(s, k, name) && (!range_holds(body, k) || is_set(s, k))) return false;
    return changes;
}
/* Moves a declaration that immediately precedes a loop, such as `unsigned half = count / 2;`, to the beginning of the
 * loop's body. */
static void into_loop(struct edit_list *l, int32_t loop) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[loop];
    int32_t at = loop - 1;
    while (at >= 0 && source_next(s, at) != loop) at--;
    if (at < 0 || s->statement[at].kind != STATEMENT_PLAIN || s->statement[st->body].kind != STATEMENT_BLOCK) return;
    if (!is_of_iteration(s, at, loop)) return;
    const struct range block = s->statement[st->parent].all, own = s->statement[at].all;
    const uint32_t from = source_begin(s, block), line = edit_line_begin(s->text, source_begin(s, own)),
                   after = edit_line_begin(s->text, source_begin(s, st->all)),
                   open = source_begin(s, s->statement[st->body].all) + 1;
    if (!source_begins_line(s, own.first) || !source_begins_line(s, st->all.first)) return;
    char *text, value[EXPRESSION_SIZE];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    fprintf(f, "%.*s%.*s\n%*s%s", (int)(line - from), s->text + from, (int)(open - after), s->text + after,
            (int)source_indentation(s, s->statement[st->body].all.first + 1), "",
            source_copy(s, own, value, sizeof value));
    fprintf(f, "%.*s", (int)(source_end(s, block) - open), s->text + open);
    fclose(f);
    edit_add(l, FIX_BEFORE_LOOP, 1, own, &(struct edit_part){from, source_end(s, block) - from, text}, 1);
    free(text);
}

/* Moves a shuffle before a loop, `y = __shfl_down_sync(mask, x, 16);`, into the loop over the distances 16, 8, ... */
static void shuffle_into_loop(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range first = loop_first_value(s, loop);
    struct range argument[4];
    int32_t before = at - 1;
    while (before >= 0 && source_next(s, before) != at) before--;
    if (before < 0 || s->statement[before].kind != STATEMENT_PLAIN || range_is_empty(first)) return;
    const struct range own = s->statement[before].all;
    if (s->statement[st->body].kind != STATEMENT_BLOCK || st->body + 1 >= s->statements) return;
    for (int32_t k = own.first; k < own.last; k++) {
        char call[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 2];
        if (!source_shuffles(s, range_of(k)) || call_arguments(s, k, argument, 4) < 3) continue;
        if (!is_same_text(s, argument[2], first) || source_end(s, own) - source_begin(s, own) >= sizeof call) continue;
        const uint32_t from = source_begin(s, own), distance = source_begin(s, argument[2]),
                       behind = source_end(s, argument[2]);
        snprintf(text, sizeof text, "%.*s%s%.*s ", (int)(distance - from), s->text + from, loop->variable,
                 (int)(source_end(s, own) - behind), s->text + behind);
        edit_add(
            l, FIX_BEFORE_LOOP, 1, own,
            (struct edit_part[]){edit_part_of(s, own, ""), {source_begin(s, s->statement[st->body + 1].all), 0, text}},
            2);
    }
}
/* Moves a closing brace: the last statement of a branch or loop out of it, or the next statement into it. */
static void braces(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->body < 0 || s->statement[st->body].kind != STATEMENT_BLOCK || st->kind == STATEMENT_DO) return;
    const int32_t next = source_next(s, at);
    int32_t last = -1;
    for (int32_t k = st->body + 1; k < s->statements && s->statement[k].all.first <= st->all.last; k++)
        if (s->statement[k].parent == st->body) last = k;
    const int32_t both[] = {last, next};
    for (unsigned k = 0; k < 2; k++) {
        const struct range all = both[k] < 0 ? (struct range){0, -1} : s->statement[both[k]].all;
        if (range_is_empty(all) || s->statement[both[k]].kind != STATEMENT_PLAIN || is_declared(s, all.first + 1))
            continue;
        if (source_is(s, all.first, "__syncthreads") || source_is(s, all.first, "__syncwarp")) continue;
        const struct range body = s->statement[st->body].all;
        if (k)
            moved(l, FIX_BRACES, 2, all, source_end(s, body) - 1, false);
        else if (!source_has(s, (struct range){body.last, st->all.last}, "else"))
            moved(l, FIX_BRACES, 2, all, source_end(s, st->all), true);
    }
}

/* ---- elements that are left out -------------------------------------------------------------------------------- */
/* Copies the name of the function that a range calls with the value and a second argument, such as combine. Returns
 * false if there is none. */
static bool taker_of(const struct source *s, struct range r, const char *value, char out[NAME_SIZE]) {
    struct range argument[3];
    for (int32_t k = r.first; k < r.last; k++)
        if (call_arguments(s, k, argument, 3) == 2 && source_is(s, argument[0].first, value))
            return source_copy(s, range_of(k), out, NAME_SIZE), true;
    return false;
}
/* A loop with a condition such as `i + 3 * threads < n` stops when too few elements are left for an iteration. Adds a
 * loop over these elements. */
static void rest(struct edit_list *l, const struct names *names, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct range body = s->statement[s->statement[at].body].all;
    int32_t op = loop->condition.first;
    while (op <= loop->condition.last && !source_is(s, op, "<")) op++;
    if (op > loop->condition.last || !source_is(s, loop->condition.first + 1, "+")) return;
    char bound[EXPRESSION_SIZE], step[EXPRESSION_SIZE], array[NAME_SIZE], taker[NAME_SIZE], text[4 * EXPRESSION_SIZE];
    source_copy(s, (struct range){op + 1, loop->condition.last}, bound, sizeof bound);
    int32_t from = op - 1; /* start of the step, after the factor */
    while (from > loop->condition.first + 2 && !source_is(s, from - 1, "*")) from--;
    source_copy(s, (struct range){from, op - 1}, step, sizeof step);
    for (int32_t k = body.first; k < body.last; k++) {
        if (!is_array_access(s, k) || !source_is(s, k + 1, loop->variable)) continue;
        source_copy(s, range_of(k - 1), array, sizeof array);
        for (unsigned v = 0; v < names->values.count; v++) {
            const char *value = names->values.item[v];
            if (!taker_of(s, body, value, taker)) continue;
            snprintf(text, sizeof text, " for (; %s < %s; %s += %s) %s = %s(%s, %s[%s]);", loop->variable, bound,
                     loop->variable, step, value, taker, value, array, loop->variable);
            edit_add(l, FIX_MISSING_STEP, 1, (struct range){s->statement[at].all.first, loop->condition.last + 1},
                     &(struct edit_part){source_end(s, s->statement[at].all), 0, text}, 1);
        }
    }
}
/* Encloses two conditions for two elements, `if (i < n) ...` and `if (i + M < n) ...`, in a loop. */
static void loop_around_two(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *f = &s->statement[at];
    char variable[NAME_SIZE], condition[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE];
    if (f->kind != STATEMENT_IF || s->token[f->condition.first].kind != TOKEN_NAME) return;
    for (int32_t k = at + 1; k < s->statements; k++) {
        const struct statement *next = &s->statement[k];
        if (next->parent != f->parent || next->all.first != f->all.last + 1) continue;
        if (next->kind != STATEMENT_IF || !source_same(s, next->condition.first, f->condition.first)) return;
        source_copy(s, range_of(f->condition.first), variable, sizeof variable);
        snprintf(text, sizeof text, "for (; %s; %s += 2 * gridDim.x * blockDim.x) { ",
                 source_copy(s, f->condition, condition, sizeof condition), variable);
        edit_add(l, FIX_LOOP, 2, (struct range){f->all.first, f->condition.last + 1},
                 (struct edit_part[]){{source_begin(s, f->all), 0, text}, {source_end(s, next->all), 0, (char *)" }"}},
                 2);
    }
}

/* ---- the order of the elements ---------------------------------------------------------------------------------- */
/* The beginning and end of a thread's chunk of adjacent elements, as source text. The elements from `from` are divided
 * among `threads` threads. A chunk may end past `to`. */
struct chunk {
    char begin[3 * EXPRESSION_SIZE], end[3 * EXPRESSION_SIZE];
};
static struct chunk chunk_of(const char *from, const char *to, const char *thread, const char *threads) {
    struct chunk c;
    char piece[2 * EXPRESSION_SIZE];
    if (*from)
        snprintf(piece, sizeof piece, "((%s - %s + %s - 1) / %s)", to, from, threads, threads);
    else
        snprintf(piece, sizeof piece, "((%s + %s - 1) / %s)", to, threads, threads);
    snprintf(c.begin, sizeof c.begin, "%s%s%s * %s", from, *from ? " + " : "", thread, piece);
    snprintf(c.end, sizeof c.end, "%s%s(%s + 1) * %s", from, *from ? " + " : "", thread, piece);
    return c;
}
/* If the range is a name set by a statement such as `stop = to;`, returns the range of `to`. Otherwise returns the
 * range. */
static struct range followed(const struct source *s, struct range r, int32_t before) {
    for (int32_t k = 1; k < before && r.first == r.last; k++)
        if (source_same(s, k, r.first) && is_set(s, k) && source_is(s, k + 1, "=") && source_is(s, k + 3, ";"))
            return range_of(k + 2);
    return r;
}
/* Splits `from + t` or `t`, where t is the thread's index. Returns false for other expressions. */
static bool split(const struct source *s, struct range r, char from[EXPRESSION_SIZE], char thread[EXPRESSION_SIZE]) {
    int32_t plus = r.last;
    while (plus > r.first && !source_is(s, plus, "+")) plus--;
    const bool sum = source_is(s, plus, "+");
    const struct range t = {sum ? plus + 1 : r.first, r.last};
    *from = 0;
    if (range_is_empty(r) || range_is_empty(t) || source_has(s, t, "*") || source_has(s, t, "/")) return false;
    if (sum) source_copy(s, (struct range){r.first, plus - 1}, from, EXPRESSION_SIZE);
    source_copy(s, t, thread, EXPRESSION_SIZE);
    return depends_on_the_thread(s, t);
}
/* Assigns adjacent elements to each thread instead of every M-th element. */
static void adjacent(struct edit_list *l, const struct loop *loop) {
    const struct source *s = l->source;
    const struct range value = loop_first_value(s, loop);
    char from[EXPRESSION_SIZE], thread[EXPRESSION_SIZE], to[EXPRESSION_SIZE], threads[EXPRESSION_SIZE];
    char condition[5 * EXPRESSION_SIZE], next[NAME_SIZE + 4]; /* avoid min(), because the types may differ */
    struct range bound = {loop->condition.first + 2, loop->condition.last};
    for (int32_t k = bound.last; k > bound.first; k--) /* the first of two bounds */
        if (source_is(s, k, "&&")) bound.last = k - 1;
    const struct range step = {loop->step.first + 2, loop->step.last};
    const bool usual = source_is(s, loop->condition.first, loop->variable) &&
                       source_is(s, loop->condition.first + 1, "<") && source_is(s, loop->step.first + 1, "+=");
    if (range_is_empty(value) || range_is_empty(step) || !usual || step.first < bound.last) return;
    if (!split(s, value, from, thread)) return;
    source_copy(s, followed(s, bound, loop->condition.first), to, sizeof to),
        source_copy(s, step, threads, sizeof threads);
    const struct chunk c = chunk_of(from, to, thread, threads);
    snprintf(condition, sizeof condition, "%s < %s && %s < %s", loop->variable, c.end, loop->variable, to);
    snprintf(next, sizeof next, "%s++", loop->variable);
    edit_add(l, FIX_NEIGHBORS, 2, loop->step,
             (struct edit_part[]){edit_part_of(s, value, c.begin), edit_part_of(s, loop->condition, condition),
                                  edit_part_of(s, loop->step, next)},
             3);
}
/* Returns which parameter of function f has the name at this token, or -1. */
static int32_t number_of(const struct source *s, int32_t f, int32_t name) {
    for (unsigned k = 0;; k++) {
        const struct range p = parameter_of(s, f, k);
        if (range_is_empty(p)) return -1;
        if (source_same(s, p.last, name)) return (int32_t)k;
    }
}
/* Does the same as adjacent() for the arguments of a call. The called function's parameters must be the start, step and
 * bound of its loop. */
static void adjacent_of_call(struct edit_list *l, int32_t call) {
    const struct source *s = l->source;
    struct range argument[MAX_ARGUMENTS];
    const int32_t f = function_called(s, call), count = (int32_t)call_arguments(s, call, argument, MAX_ARGUMENTS);
    for (int32_t k = 0; k < s->statements && f >= 0; k++) {
        char from[EXPRESSION_SIZE], thread[EXPRESSION_SIZE], to[EXPRESSION_SIZE], threads[EXPRESSION_SIZE];
        char end[5 * EXPRESSION_SIZE];
        struct loop loop;
        if (s->statement[k].function != f || !loop_of(s, k, &loop) || range_is_empty(loop.step)) continue;
        const struct range value = loop_first_value(s, &loop);
        const int32_t first = number_of(s, f, range_is_empty(value) ? loop.condition.first : value.first),
                      step = number_of(s, f, loop.step.last), bound = number_of(s, f, loop.condition.last);
        if (first < 0 || step <= first || bound <= step || bound >= count) continue;
        if (!split(s, argument[first], from, thread)) continue;
        const struct chunk c = chunk_of(from, source_copy(s, argument[bound], to, sizeof to), thread,
                                        source_copy(s, argument[step], threads, sizeof threads));
        snprintf(end, sizeof end, "min(%s, %s)", c.end, to);
        edit_add(l, FIX_NEIGHBORS, 2, (struct range){call, s->token[call + 1].match},
                 (struct edit_part[]){edit_part_of(s, argument[first], c.begin), edit_part_of(s, argument[step], "1"),
                                      edit_part_of(s, argument[bound], end)},
                 3);
    }
}
/* Turns `k * 32 + lane`, in a loop over k, into `lane * each + k`. */
static void exchanged(struct edit_list *l, const struct names *names, int32_t times) {
    const struct source *s = l->source;
    const int32_t plus = times + 2;
    char loop[NAME_SIZE], own[NAME_SIZE];
    if (!source_is(s, times, "*") || !source_is(s, plus, "+") || s->token[times].statement < 0) return;
    loop_variable_around(s, s->token[times].statement, loop);
    if (!*loop || !source_is(s, times - 1, loop) || s->token[plus + 1].kind != TOKEN_NAME) return;
    for (unsigned k = 0; k < names->counts.count; k++)
        edit_replace(l, FIX_NEIGHBORS, 2, (struct range){times - 1, plus + 1}, "%s * %s + %s",
                     source_copy(s, range_of(plus + 1), own, sizeof own), names->counts.item[k], loop);
}
/* Turns a tree with a halving distance d, `if (t < d) s[t] = combine(s[t], s[t + d])`, into one that joins
 * neighbors. */
static void tree_of_neighbors(struct edit_list *l, const struct names *names, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct range value = loop_first_value(s, loop);
    const char *d = loop->variable, *t = who_of(names);
    char texts[3][2 * EXPRESSION_SIZE], own[EXPRESSION_SIZE], guard[EXPRESSION_SIZE];
    if (range_is_empty(value) || range_is_empty(loop->step) || !*t) return;
    source_copy(s, value, own, sizeof own);
    const bool halved =
        value.last > value.first + 1 && source_is(s, value.last - 1, "/") && source_is(s, value.last, "2");
    if (halved) source_copy(s, (struct range){value.first, value.last - 2}, own, sizeof own);
    char *end;
    const unsigned long number = strtoul(own, &end, 0);
    if (number && !*end)
        snprintf(texts[0], sizeof *texts, "%s < %lu", d, 2 * number);
    else
        snprintf(texts[0], sizeof *texts, halved ? "%s < %s" : "%s < 2 * %s", d, own);
    snprintf(texts[1], sizeof *texts, "%s *= 2", d);
    snprintf(texts[2], sizeof *texts, "%s %% (2 * %s) == 0", t, d);
    for (int32_t k = at + 1; k < s->statements && s->statement[k].all.first <= s->statement[at].all.last; k++) {
        const struct statement *st = &s->statement[k];
        if (st->kind != STATEMENT_IF || !source_has(s, st->condition, d)) continue;
        source_copy(s, st->condition, guard, sizeof guard);
        struct edit_part parts[] = {edit_part_of(s, value, "1"), edit_part_of(s, loop->condition, texts[0]),
                                    edit_part_of(s, loop->step, texts[1]), edit_part_of(s, st->condition, texts[2])};
        if (parts[2].at > parts[3].at) { /* the step is a statement of the body */
            const struct edit_part swap = parts[2];
            parts[2] = parts[3], parts[3] = swap;
        }
        if (parts[0].at < parts[1].at && parts[1].at < parts[2].at)
            edit_add(l, FIX_NEIGHBORS, 2, st->condition, parts, 4);
        return;
    }
}
/* Finds the indices of up to two array elements that are whole values in the statement, as in `value_t x = s[i];` or
 * `value_t x = s[i], y = s[j];`. Returns their number. */
static unsigned elements_of(const struct source *s, int32_t at, struct range index[2]) {
    unsigned count = 0;
    const struct range all = s->statement[at].all;
    for (int32_t k = all.first + 2; k < all.last && count < 2 && s->statement[at].kind == STATEMENT_PLAIN; k++) {
        const int32_t close = s->token[k].match;
        if (!is_array_access(s, k) || !source_is(s, k - 2, "=")) continue;
        if (source_is(s, close + 1, ",") || close + 1 == all.last) index[count++] = (struct range){k + 1, close - 1};
    }
    return count;
}
/* Turns `x = s[t]; y = s[t + m];` into `x = s[2 * t]; y = s[2 * t + 1];`. If m is 1, the elements are neighbors
 * already, but most of them are taken twice. */
static void two_neighbors(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    struct range index[3];
    const unsigned own = elements_of(s, at, index);
    const int32_t next = own == 2 ? at : source_next(s, at);
    if (!own || next < 0 || (own == 1 && elements_of(s, next, index + 1) != 1)) return;
    const struct range a = index[0], b = index[1];
    char first[2 * NAME_SIZE], second[2 * NAME_SIZE];
    if (!source_same(s, a.first - 2, b.first - 2)) return;
    if (!*names->thread || !source_has(s, a, names->thread) || !source_has(s, b, names->thread)) return;
    snprintf(first, sizeof first, "2 * %s", names->thread),
        snprintf(second, sizeof second, "2 * %s + 1", names->thread);
    const bool twice = source_is(s, b.last, "1") && source_is(s, b.last - 1, "+");
    edit_add(l, twice ? FIX_INDEX : FIX_NEIGHBORS, 1, s->statement[next].all,
             (struct edit_part[]){edit_part_of(s, a, first), edit_part_of(s, b, second)}, 2);
}
/* Returns whether the value is the number of threads of the block: blockDim.x, or a name with this value. */
static bool is_block_size(const struct source *s, struct range body, struct range r) {
    if (r.last == r.first + 2) return source_is(s, r.first, "blockDim");
    for (int32_t k = body.first; k < body.last && r.first == r.last; k++)
        if (source_same(s, k, r.first) && source_is(s, k + 1, "="))
            return source_is(s, k + 2, "blockDim") && !source_is(s, k + 5, "/");
    return false;
}
/* Turns `s[t] = combine(s[t], s[m + t])`, where m is the number of threads, into a step in which each thread joins two
 * neighbors. All threads must have read before any thread writes. */
static void joins_neighbors(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, body = body_of(s, s->statement[at].function);
    const int32_t close = source_is(s, all.first + 1, "[") ? s->token[all.first + 1].match : -1,
                  parent = s->statement[at].parent;
    struct range argument[3];
    char array[NAME_SIZE], text[4 * EXPRESSION_SIZE];
    if (s->statement[at].kind != STATEMENT_PLAIN || close != all.first + 3 ||
        !source_is(s, all.first + 2, names->thread))
        return;
    if (!source_is(s, close + 1, "=") || call_arguments(s, close + 2, argument, 3) != 2 || parent < 0) return;
    const struct range a = argument[0], b = argument[1];
    if (!is_same_text(s, a, (struct range){all.first, close}) || !source_same(s, b.first, all.first) ||
        !is_array_access(s, b.first + 1))
        return;
    int32_t plus = b.first + 2;
    while (plus < b.last && !source_is(s, plus, "+")) plus++;
    const struct range left = {b.first + 2, plus - 1}, right = {plus + 1, b.last - 1};
    if (plus >= b.last || !(is_block_size(s, body, left) || is_block_size(s, body, right)) ||
        source_has(s, body, "two"))
        return;
    const bool block = source_in_block(s, at);
    const char *t = names->thread, *line = s->text + edit_line_begin(s->text, source_begin(s, all));
    char between[NAME_SIZE] = " ";
    if (block) snprintf(between, sizeof between, "\n%.*s", (int)strspn(line, " \t"), line);
    source_copy(s, range_of(all.first), array, sizeof array);
    snprintf(text, sizeof text,
             "%svalue_t two = combine(%s[2 * %s], %s[2 * %s + 1]);%s__syncthreads();%s%s[%s] = two;%s",
             block ? "" : "{ ", array, t, array, t, between, between, array, t, block ? "" : " }");
    const struct edit_part part = edit_part_of(s, all, text);
    edit_add(l, FIX_NEIGHBORS, 1, all, &part, 1);
}
/* Reverses the distances of a tree over `16 >> k` or `1 << k`, where the loop counts k. The other order of the
 * distances combines neighbors. */
static void shifted_distances(struct edit_list *l, const struct loop *loop, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, first = loop_first_value(s, loop);
    char own[EXPRESSION_SIZE], name[NAME_SIZE];
    if (range_is_empty(first) || !(source_has(s, loop->step, "++") || source_has(s, loop->step, "--"))) return;
    for (int32_t op = all.first + 1; op < all.last; op++) {
        const bool right = source_is(s, op, ">>"), left = source_is(s, op, "<<");
        if (!(right || left) || s->token[op - 1].kind != TOKEN_NUMBER || !source_is(s, op + 1, loop->variable))
            continue;
        const unsigned long number = strtoul(source_copy(s, range_of(op - 1), own, sizeof own), NULL, 0),
                            last = strtoul(source_copy(s, first, own, sizeof own), NULL, 0);
        source_copy(s, range_of(op + 1), name, sizeof name);
        const struct range distance = {op - 1, op + 1};
        if (right && number > 1) edit_replace(l, FIX_NEIGHBORS, 1, distance, "1 << %s", name);
        if (left && number == 1 && last && last < 10)
            edit_replace(l, FIX_NEIGHBORS, 1, distance, "%lu >> %s", 1ul << last, name);
    }
}
void rules_order(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    for (int32_t k = body_of(s, function).first; k < body_of(s, function).last; k++)
        adjacent_of_call(l, k), exchanged(l, &names, k);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *f = &s->statement[k];
        struct loop loop;
        if (f->function != function) continue;
        loop_around_two(l, k), braces(l, k), two_neighbors(l, &names, k), joins_neighbors(l, &names, k);
        if (!loop_of(s, k, &loop) || !*loop.variable || f->body < 0) continue;
        shifted_distances(l, &loop, k), shuffle_into_loop(l, &loop, k);
        rest(l, &names, &loop, k), adjacent(l, &loop), tree_of_neighbors(l, &names, &loop, k);
        if (s->statement[f->body].kind != STATEMENT_BLOCK) continue;
        into_loop(l, k);
        if (!range_is_empty(loop.step)) step_moved(l, &loop, f->body);
        for (int32_t n = k + 1; n < s->statements; n++)
            if (s->statement[n].parent == f->body) out_of_loop(l, &loop, k, n);
    }
}
