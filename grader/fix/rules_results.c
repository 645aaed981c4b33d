/* Generates edits that store results: before an early return, and after a step that keeps its result in a register. */
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

/* Returns the target of the last store to an output after the token, such as `partial[blockIdx.x]`, or an empty range.
 */
static struct range stored_behind(const struct source *s, const struct names *names, int32_t function, int32_t token) {
    const struct range body = body_of(s, function);
    struct range last = {0, -1};
    for (int32_t k = token + 1; k < body.last; k++) {
        const int32_t close = is_array_access(s, k + 1) ? s->token[k + 1].match : k;
        if (!is_listed(s, k, &names->outputs) || !source_is(s, close + 1, "=")) continue;
        const bool points = close == k && source_is(s, k - 1, "*");
        if (close > k || points) last = (struct range){k - points, close};
    }
    return last;
}
/* Stores identity() before `if (n == 0) return;`, so that the output has a result. */
static void before_return(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->kind != STATEMENT_IF || st->body < 0 || !s->function[st->function].is_kernel) return;
    const struct range body = s->statement[st->body].all;
    const int32_t word = body.first + source_is(s, body.first, "{");
    const bool returns = source_is(s, word, "return") && source_is(s, word + 1, ";") && st->all.last <= word + 2;
    const struct range target = returns ? stored_behind(s, names, st->function, st->all.last) : (struct range){0, -1};
    if (range_is_empty(target)) return;
    char own[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE];
    snprintf(text, sizeof text, "{ if (%s == 0) %s = identity(); return; }",
             *names->thread ? names->thread : "threadIdx.x", source_copy(s, target, own, sizeof own));
    const struct edit_part part = edit_part_of(s, body, text);
    edit_add(l, FIX_RETURNS, 1, st->all, &part, 1);
}
/* Removes `if (blockIdx.x == 0) { ... }` that reads an output in a loop, if no ticket says that other blocks have
 * stored their results. */
static void reads_other_blocks(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const struct range body = body_of(s, st->function);
    if (st->kind != STATEMENT_IF || !(roles_in(s, st->condition) & ROLE_BLOCK) || !source_in_block(s, at)) return;
    for (int32_t k = body.first; k < body.last; k++)
        if (source_is_atomic(s, k) || source_has(s, range_of(k), "__threadfence")) return;
    bool reads = false;
    for (int32_t k = st->condition.last; k < st->all.last; k++) {
        const bool element = is_listed(s, k, &names->outputs) && is_array_access(s, k + 1),
                   stored = element && source_is(s, s->token[k + 1].match + 1, "=");
        reads |= element && !stored && loop_around(s, s->token[k].statement) > at;
    }
    if (reads) edit_replace(l, FIX_OTHER_BLOCKS, 1, st->all, ";");
}
/* Turns `out = &x;`, which changes only the thread's copy of the pointer, into `*out = x;`, and `out = data;` into
 * `*out = *data;`. */
static void through_pointer(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    if (s->statement[at].kind != STATEMENT_PLAIN || !is_listed(s, all.first, &names->outputs)) return;
    const bool address = source_is(s, all.first + 2, "&"), alone = all.last == all.first + 3;
    if (!source_is(s, all.first + 1, "=") || all.last < all.first + 3 + address) return;
    char name[NAME_SIZE], value[EXPRESSION_SIZE];
    source_copy(s, range_of(all.first), name, sizeof name);
    source_copy(s, (struct range){all.first + 2 + address, all.last - 1}, value, sizeof value);
    edit_replace(l, FIX_POINTER, 1, all, address ? "*%s = %s;" : alone ? "*%s = *%s;" : "*%s = *(%s);", name, value);
}
/* Returns the element of `array` that the function last loads into the variable before the token, as in `x = a[i];` or
 * `x = i < n ? a[i] : identity();`. Returns an empty range if there is none. */
static struct range loaded_before(const struct source *s, int32_t variable, int32_t array) {
    const struct range body = body_of(s, s->statement[s->token[variable].statement].function);
    for (int32_t k = variable - 1; k > body.first; k--) {
        if (!source_same(s, k, variable) || !source_is(s, k + 1, "=")) continue;
        const int32_t end = s->statement[s->token[k].statement].all.last;
        for (int32_t n = k + 2; n + 1 < end; n++)
            if (source_same(s, n, array) && is_array_access(s, n + 1)) return (struct range){n, s->token[n + 1].match};
    }
    return (struct range){0, -1};
}
/* Stores the result of `x = combine(x, a[i + stride]);` in a[i], from which another thread reads it in a later step. */
static void store_back(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    struct range argument[3];
    const int32_t x = all.first;
    if (s->statement[at].kind != STATEMENT_PLAIN || !is_listed(s, x, &names->values) || !source_is(s, x + 1, "="))
        return;
    if (call_arguments(s, x + 2, argument, 3) != 2 || loop_around(s, at) < 0) return;
    for (unsigned k = 0; k < 2; k++) {
        const int32_t array = argument[k].first;
        if (!is_array_access(s, array + 1) || is_listed(s, array, &names->inputs)) continue;
        const struct range own = loaded_before(s, x, array);
        char element[EXPRESSION_SIZE], text[EXPRESSION_SIZE + NAME_SIZE], name[NAME_SIZE];
        if (range_is_empty(own) || is_same_text(s, own, argument[k])) continue;
        snprintf(text, sizeof text, "%s = %s", source_copy(s, own, element, sizeof element),
                 source_copy(s, range_of(x), name, sizeof name));
        const struct edit_part part = edit_part_of(s, range_of(x), text);
        edit_add(l, FIX_NOT_STORED, 1, all, &part, 1);
    }
}
static bool is_guarded_by(const struct source *s, int32_t statement, const char *name) {
    for (int32_t k = s->statement[statement].parent; k >= 0; k = s->statement[k].parent)
        if (s->statement[k].kind == STATEMENT_IF && source_has(s, s->statement[k].condition, name)) return true;
    return false;
}
/* Turns `results[lane] = r;` into `if (lane == 0) results[warp] = r;`: each warp has one result. */
static void result_of_warp(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t index = all.first + 2;
    char value[EXPRESSION_SIZE], array[NAME_SIZE];
    if (s->statement[at].kind != STATEMENT_PLAIN || !*names->lane || !*names->warp) return;
    if (!source_is(s, index - 1, "[") || !source_is(s, index, names->lane) || !source_is(s, index + 1, "]")) return;
    if (!source_is(s, index + 2, "=") || all.last < index + 4 || is_guarded_by(s, at, names->lane)) return;
    edit_replace(l, FIX_ONE_THREAD, 1, (struct range){all.first, all.last - 1}, "if (%s == 0) %s[%s] = %s", names->lane,
                 source_copy(s, range_of(all.first), array, sizeof array), names->warp,
                 source_copy(s, (struct range){index + 3, all.last - 1}, value, sizeof value));
}
/* Lets only thread 0 store the result of `out[0] = f(x);`. All threads must still call f(), because it waits for them.
 */
static void call_before_store(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    struct range argument[3];
    int32_t equals = all.first;
    while (equals < all.last && !source_is(s, equals, "=")) equals++;
    const struct range target = {all.first, equals - 1};
    const int32_t out = target.first + source_is(s, target.first, "*"), f = function_called(s, equals + 1);
    if (s->statement[at].kind != STATEMENT_PLAIN || !source_in_block(s, at) || !is_listed(s, out, &names->outputs))
        return;
    if (f < 0 || !source_waits(s, body_of(s, f)) || !call_arguments(s, equals + 1, argument, 3)) return;
    const struct range x = argument[0];
    if (x.first != x.last || !is_listed(s, x.first, &names->values)) return;
    char own[NAME_SIZE], element[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE];
    source_copy(s, x, own, sizeof own);
    snprintf(text, sizeof text, " if (%s == 0) %s = %s;", *names->thread ? names->thread : "threadIdx.x",
             source_copy(s, target, element, sizeof element), own);
    edit_add(l, FIX_ALL_STORE, 1, all,
             (struct edit_part[]){edit_part_of(s, target, own), {source_end(s, all), 0, text}}, 2);
}
/* Stores the results of the warps, `s[warp] = x;`, behind the values of the threads, and reads them there. */
static void results_behind(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t open = all.first + 1, index = open + 1;
    if (s->statement[at].kind != STATEMENT_PLAIN || !*names->warp || !is_array_access(s, open)) return;
    if (!source_is(s, all.first, names->shared) || !source_is(s, index, names->warp) || !source_is(s, index + 2, "="))
        return;
    for (int32_t k = all.last; k < body_of(s, s->statement[at].function).last; k++) {
        const bool own = source_is(s, k + 1, names->lane) || source_is(s, k + 1, names->thread);
        if (!is_array_access(s, k) || !source_same(s, k - 1, all.first) || !own || s->token[k].match != k + 2) continue;
        if (source_is(s, k + 3, "=")) continue;
        edit_add(l, FIX_OVERWRITTEN, 1, all,
                 (struct edit_part[]){{s->token[index].at, 0, (char *)"blockDim.x + "},
                                      {s->token[k + 1].at, 0, (char *)"blockDim.x + "}},
                 2);
        return;
    }
}
/* Stores a value in shared memory before `x = f(s);` replaces it unread, because f() reads shared memory. */
static void replaced_unread(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const char *const places[] = {names->lane, *names->thread ? names->thread : "threadIdx.x", names->warp};
    const int32_t x = st->all.first;
    int32_t before = x - 1, kept = -1;
    if (st->kind != STATEMENT_PLAIN) return;
    if (!*names->shared || !is_listed(s, x, &names->values) || !source_is(s, x + 1, "=")) return;
    const struct range value = {x + 2, st->all.last};
    char own[NAME_SIZE];
    if (!source_is(s, x + 3, "(") || !source_has(s, value, names->shared)) return;
    if (source_has(s, value, source_copy(s, range_of(x), own, sizeof own))) return;
    while (before > body_of(s, st->function).first && !source_same(s, before, x)) before--;
    if (!source_same(s, before, x) || !source_is(s, before + 1, "=")) return;
    for (int32_t k = 0; k < at; k++)
        if (s->statement[k].parent == st->parent && range_holds(s->statement[k].all, before)) kept = k;
    for (unsigned p = 0; p < sizeof places / sizeof *places && kept >= 0; p++) {
        char text[3 * NAME_SIZE];
        snprintf(text, sizeof text, " %s[%s] = %s;", names->shared, places[p], own);
        const struct edit_part part = {source_end(s, s->statement[kept].all), 0, text};
        if (*places[p]) edit_add(l, FIX_NOT_STORED, 1, s->statement[s->token[before].statement].all, &part, 1);
    }
}
/* Replaces the call at this token with its value, if the function waits for the other blocks of the cluster: the last
 * block calls it alone. */
static void without_cluster(struct edit_list *l, int32_t call) {
    enum { MOST = 4 };
    const struct source *s = l->source;
    const int32_t function = function_called(s, call);
    struct range argument[MOST];
    char value[EXPRESSION_SIZE];
    if (function < 0 || !source_has(s, body_of(s, function), "map_shared_rank")) return;
    const unsigned count = call_arguments(s, call, argument, MOST);
    for (unsigned k = 0; k < count && k < MOST; k++) {
        const struct range parameter = parameter_of(s, function, k);
        if (!source_has(s, parameter, "value_t") || source_has(s, parameter, "*")) continue;
        edit_replace(l, FIX_ALONE, 2, (struct range){call, s->token[call + 1].match}, "%s",
                     source_copy(s, argument[k], value, sizeof value));
    }
}
void rules_results(struct edit_list *l, int32_t function) {
    struct names names;
    names_of(l->source, function, &names);
    for (int32_t k = body_of(l->source, function).first; k < body_of(l->source, function).last; k++)
        if (l->source->token[k].kind == TOKEN_NAME) without_cluster(l, k);
    for (int32_t k = 0; k < l->source->statements; k++)
        if (l->source->statement[k].function == function)
            before_return(l, &names, k), store_back(l, &names, k), result_of_warp(l, &names, k),
                through_pointer(l, &names, k), reads_other_blocks(l, &names, k), replaced_unread(l, &names, k),
                call_before_store(l, &names, k), results_behind(l, &names, k);
}
