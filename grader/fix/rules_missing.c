/* Generates edits that add missing code: a store, a call, a tree, a condition, an initial value, a __shared__
 * qualifier, an atomic, and so on. */
#include "fix/loops.h"
#include <string.h>

/* Returns whether the function passes the array to another function, which may store in it. */
static bool is_passed(const struct source *s, struct range body, const char *array) {
    for (int32_t k = body.first + 1; k < body.last; k++)
        if (source_is(s, k, array) && source_is(s, k - 1, ",") && source_is(s, k + 1, ")")) return true;
    return false;
}
/* Returns whether the range stores in the array a value that does not depend on the array's elements. */
static bool is_written(const struct source *s, struct range body, const char *array) {
    for (int32_t k = body.first; k + 1 < body.last; k++) {
        const int32_t equals = source_is(s, k + 1, "[") ? s->token[k + 1].match + 1 : k;
        if (!source_is(s, k, array) || !source_is(s, equals, "=")) continue;
        const struct range all = s->statement[s->token[k].statement].all;
        if (!source_has(s, (struct range){equals, all.last}, array)) return true;
    }
    return false;
}
/* Returns whether the range assigns to an element of the array: `out[i] = x;` or `out[i] = combine(out[i], x);`. */
static bool assigns_element(const struct source *s, struct range body, const char *array) {
    for (int32_t k = body.first; k + 1 < body.last; k++)
        if (source_is(s, k, array) && source_is(s, k + 1, "[") && source_is(s, s->token[k + 1].match + 1, "="))
            return true;
    return false;
}
/* Returns whether the statement declares the value with identity(), which need not be stored. */
static bool is_initial(const struct source *s, int32_t at, const char *value) {
    const struct range all = s->statement[at].all;
    return source_is(s, all.last - 3, "identity") && source_is(s, all.last - 4, "=") &&
           source_is(s, all.last - 5, value);
}
/* Adds a store of a thread's value to the output or to shared memory. */
static void stores(struct edit_list *l, const struct names *names, int32_t at) {
    const char *t = *names->thread ? names->thread : "threadIdx.x";
    const bool alone = runs_in_thread_0(l->source, at);
    const struct range body = body_of(l->source, l->source->statement[at].function);
    char text[2 * EXPRESSION_SIZE], only[NAME_SIZE + 16] = "";
    if (!alone) snprintf(only, sizeof only, "if (%s == 0) ", t);
    char values[MAX_NAMES + 5][EXPRESSION_SIZE];
    unsigned count = 0;
    for (unsigned k = 0; k < names->values.count; k++)
        snprintf(values[count++], EXPRESSION_SIZE, "%s", names->values.item[k]);
    if (*names->shared) snprintf(values[count++], EXPRESSION_SIZE, "%s[0]", names->shared);
    for (unsigned o = 0; o < names->outputs.count && *names->global; o++)
        snprintf(values[count++], EXPRESSION_SIZE, "%s < n ? %s[%s] : identity()", names->global,
                 names->outputs.item[o], names->global);
    if (names->outputs.count > 1)
        snprintf(values[count++], EXPRESSION_SIZE, "n > 0 ? %s[0] : identity()", names->outputs.item[0]);
    for (unsigned v = 0; v < count; v++) {
        if (is_initial(l->source, at, values[v])) continue;
        for (unsigned o = 0; o < names->outputs.count; o++) {
            static const char *const places[] = {"0", "blockIdx.x"};
            for (unsigned p = 0; p < 2; p++) {
                const bool written = is_written(l->source, body, names->outputs.item[o]) ||
                                     assigns_element(l->source, body, names->outputs.item[o]);
                snprintf(text, sizeof text, "%s%s[%s] = %s;", only, names->outputs.item[o], places[p], values[v]);
                edit_behind(l, FIX_NOT_WRITTEN, written ? 3 : alone ? 1 : 2, at, text);
            }
            for (unsigned c = 0; c < names->counts.count && v < names->values.count; c++) {
                if (is_written(l->source, body, names->outputs.item[o])) break;
                snprintf(text, sizeof text, "%s%s[%s] = %s;", only, names->outputs.item[o], names->counts.item[c],
                         values[v]);
                edit_behind(l, FIX_NOT_WRITTEN, 2, at, text);
            }
        }
        for (unsigned o = 0; o < names->outputs.count && v < names->values.count; o++) {
            if (is_written(l->source, body, names->outputs.item[o])) continue;
            snprintf(text, sizeof text, "%satomic_combine(&%s[0], %s);", only, names->outputs.item[o], values[v]);
            edit_behind(l, FIX_NOT_WRITTEN, 2, at, text);
        }
        if (!*names->shared || v >= names->values.count) continue;
        const char *const own[][2] = {{"", t}, {names->lane, names->warp}};
        for (unsigned k = 0; k < 2; k++) {
            if (k && (!*own[k][0] || !*own[k][1])) continue;
            char mine[NAME_SIZE + 16] = "";
            if (k) snprintf(mine, sizeof mine, "if (%s == 0) ", own[k][0]);
            const unsigned cost = is_passed(l->source, body, names->shared)    ? 3
                                  : is_written(l->source, body, names->shared) ? 2
                                                                               : 1;
            snprintf(text, sizeof text, "%s%s[%s] = %s;", mine, names->shared, own[k][1], values[v]);
            edit_behind(l, FIX_NOT_WRITTEN, cost, at, text);
            snprintf(text + strlen(text), sizeof text - strlen(text), " __syncthreads();");
            edit_behind(l, FIX_NOT_WRITTEN, cost + 1, at, text);
        }
        const char *lane = *names->lane ? names->lane : t;
        snprintf(text, sizeof text, "if (%s < 16) %s[32 + %s] = identity();", lane, names->shared, lane);
        edit_behind(l, FIX_NOT_WRITTEN, 3, at, text);
    }
}
/* Completes a copy of the input to shared memory that stores only `s[t]` or only `s[t + blockDim.x]`. */
static void other_half(struct edit_list *l, const struct names *names, int32_t at) {
    char text[3 * EXPRESSION_SIZE];
    const char *t = names->thread, *g = names->global, *in = names->inputs.count ? names->inputs.item[0] : "";
    if (!*names->shared || !*t || !*g || !*in) return;
    snprintf(text, sizeof text, "%s[%s] = %s + %s < n ? %s[%s + %s] : identity();", names->shared, t, g, t, in, g, t);
    edit_behind(l, FIX_NOT_WRITTEN, 2, at, text);
    snprintf(text, sizeof text,
             "%s[blockDim.x + %s] = blockDim.x + %s + %s < n ? %s[blockDim.x + %s + %s] : identity();", names->shared,
             t, g, t, in, g, t);
    edit_behind(l, FIX_NOT_WRITTEN, 2, at, text);
}
/* Replaces an element of shared memory with f(x), where x is the calling thread's element. */
static void of_all_values(struct edit_list *l, const struct names *names, const char *f, struct range value) {
    const char *who = *names->lane ? names->lane : names->thread;
    for (unsigned c = 0; c < names->counts.count && *who; c++)
        edit_replace(l, FIX_MISSING_STEP, 2, value, "%s(%s < %s ? %s[%s] : identity())", f, who, names->counts.item[c],
                     names->shared, who);
}
/* Writes the arguments for a call of function f with the value v. A parameter's type selects the value, the shared
 * array, or a local variable of the same type. An integer parameter gets the variable with its name. Returns false if a
 * parameter has no argument. */
static bool arguments_for(const struct source *s, const struct names *names, int32_t function, int32_t f,
                          const char *value, char out[2 * EXPRESSION_SIZE]) {
    const struct range body = body_of(s, function);
    unsigned values = 0;
    size_t n = 0;
    for (unsigned k = 0;; k++) {
        const struct range p = parameter_of(s, f, k);
        char text[NAME_SIZE] = "";
        if (range_is_empty(p) || n + NAME_SIZE + 3 > EXPRESSION_SIZE) return values == 1;
        const int32_t type = p.last - 1;
        if (source_is(s, type, "*"))
            snprintf(text, sizeof text, "%s", source_has(s, p, "const") ? "" : names->shared);
        else if (source_is(s, type, "value_t"))
            snprintf(text, sizeof text, "%s", value), values++;
        else
            for (int32_t at = body.first + 1; at < body.last && !*text; at++)
                if (is_declared(s, at) && source_same(s, at - 1, type) &&
                    (!is_integer_type(s, type) || source_same(s, at, p.last)))
                    source_copy(s, range_of(at), text, sizeof text);
        if (!*text) return false;
        n += (size_t)snprintf(out + n, EXPRESSION_SIZE, "%s%s", n ? ", " : "", text);
    }
}
/* Adds a call `x = f(x, s);` of each function that is defined above and takes a value, or applies the function to a
 * value that the statement assigns. */
static void calls(struct edit_list *l, const struct names *names, int32_t function, int32_t at) {
    const struct source *s = l->source;
    for (int32_t f = 0; f < function; f++) { /* functions defined above */
        const struct function *other = &s->function[f];
        char name[NAME_SIZE], text[3 * EXPRESSION_SIZE], value[2 * EXPRESSION_SIZE];
        const struct range all = other->parameters;
        if (other->is_kernel || source_is(s, other->name.first, "combine")) continue;
        source_copy(s, other->name, name, sizeof name);
        for (unsigned k = 0; k < names->values.count; k++) {
            const char *v = names->values.item[k];
            if (!arguments_for(s, names, function, f, v, value)) continue;
            snprintf(text, sizeof text, "%s = %s(%s);", v, name, value);
            edit_behind(l, FIX_MISSING_STEP, 2, at, text);
        }
        const bool shared = source_has(s, all, "*"), more = source_has(s, all, ",");
        if (!source_is(s, all.first, "value_t") || source_is(s, all.first + 1, "*")) continue;
        if ((shared && !*names->shared) || (more && !shared)) continue;
        const struct range st = s->statement[at].all;
        for (int32_t k = st.first; k < st.last; k++) {
            if (!source_is(s, k, "=") || source_is(s, k - 1, "]")) continue;
            if (is_declared(s, k - 1) && is_integer(s, k - 1)) continue;
            source_copy(s, (struct range){k + 1, st.last - 1}, value, sizeof value);
            if (s->statement[at].kind != STATEMENT_PLAIN) continue;
            if (!shared && *names->shared && source_is(s, k + 1, names->shared))
                of_all_values(l, names, name, (struct range){k + 1, st.last - 1});
            edit_replace(l, FIX_MISSING_STEP, 2, (struct range){k + 1, st.last - 1}, "%s(%s%s%s)", name, value,
                         shared ? ", " : "", shared ? names->shared : "");
        }
    }
}
/* Adds a missing tree: in shared memory after a barrier, or with shuffles after an assignment to a value_t. */
static void trees(struct edit_list *l, const struct names *names, int32_t at) {
    static const char *const starts[] = {"blockDim.x / 2", "blockDim.x", "16"};
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const char *t = *names->thread ? names->thread : *names->lane ? names->lane : "threadIdx.x", *m = names->shared;
    char text[3 * EXPRESSION_SIZE];
    const bool block = source_is(s, all.first, "__syncthreads"), warp = source_is(s, all.first, "__syncwarp");
    for (unsigned k = 0; k < 3 && *m && (block || warp); k++) {
        snprintf(text, sizeof text,
                 "for (unsigned distance = %s; distance >= 1; distance /= 2) { if (%s < distance) %s[%s] = "
                 "combine(%s[%s], %s[%s + distance]); %s(); }",
                 starts[k], t, m, t, m, t, m, t, block ? "__syncthreads" : "__syncwarp");
        edit_behind(l, FIX_MISSING_STEP, 2, at, text);
    }
    for (unsigned k = 0; k < names->values.count; k++) {
        const char *v = names->values.item[k];
        if (!source_is(s, all.first, v) && !source_is(s, all.first + 1, v)) continue;
        snprintf(text, sizeof text,
                 "for (unsigned distance = 16; distance >= 1; distance /= 2) %s = combine(%s, "
                 "__shfl_down_sync(0xffffffff, %s, distance));",
                 v, v, v);
        edit_behind(l, FIX_MISSING_STEP, 2, at, text);
    }
}
/* If lane 0 of each warp stores only its own warp's result, combines the results of all warps first: with a function of
 * the file for a warp's values, or with shuffles. */
static void second_level(struct edit_list *l, const struct names *names, int32_t function, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const char *m = names->shared, *lane = names->lane, *warp = names->warp;
    char store[EXPRESSION_SIZE], first[EXPRESSION_SIZE], name[NAME_SIZE], tree[3 * EXPRESSION_SIZE],
        text[6 * EXPRESSION_SIZE];
    if (!*m || !*lane || !*warp || st->kind != STATEMENT_IF || st->body < 0 || source_has(s, st->all, "else")) return;
    if (!source_is(s, st->condition.first, lane) || !source_has(s, st->condition, "==")) return;
    const struct range body = s->statement[st->body].all;
    if (source_end(s, body) - source_begin(s, body) >= sizeof store || source_has(s, body, m)) return;
    source_copy(s, body, store, sizeof store);
    for (unsigned v = 0; v < names->values.count; v++) {
        const char *value = names->values.item[v];
        if (!source_has(s, body, value)) continue;
        snprintf(first, sizeof first, "%s < blockDim.x / 32 ? %s[%s] : identity()", lane, m, lane);
        for (int32_t f = -1; f < function; f++) {
            const struct range p = f < 0 ? (struct range){0, -1} : parameter_of(s, f, 0);
            const bool takes_one = f >= 0 && source_is(s, p.first, "value_t") && p.last == p.first + 1 &&
                                   range_is_empty(parameter_of(s, f, 1));
            if (f >= 0 && !takes_one) continue;
            if (takes_one)
                snprintf(tree, sizeof tree, "%s = %s(%s);", value,
                         source_copy(s, s->function[f].name, name, sizeof name), first);
            else
                snprintf(tree, sizeof tree,
                         "%s = %s; for (unsigned distance = 16; distance >= 1; distance /= 2) %s = combine(%s, "
                         "__shfl_down_sync(0xffffffff, %s, distance));",
                         value, first, value, value, value);
            snprintf(text, sizeof text,
                     "if (%s == 0) %s[%s] = %s; __syncthreads(); if (%s == 0) { %s if (%s == 0) %s }", lane, m, warp,
                     value, warp, tree, lane, store);
            edit_replace(l, FIX_MISSING_STEP, 2, st->all, "%s", text);
        }
    }
}
/* If a thread stores s[0], the first warp's result, as the block's result, combines the results of all warps first. */
static void all_warps(struct edit_list *l, const struct names *names, int32_t function, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const char *m = names->shared, *lane = names->lane;
    char name[NAME_SIZE], text[3 * EXPRESSION_SIZE];
    if (!*m || !*lane || st->kind != STATEMENT_IF || st->body < 0 || !source_in_block(s, at) ||
        source_has(s, st->all, "else"))
        return;
    const struct range body = s->statement[st->body].all, first = {body.last - 4, body.last - 1};
    if (!source_is(s, first.first, m) || !source_is(s, first.first + 2, "0") || !source_is(s, first.first - 1, "="))
        return;
    for (unsigned v = 0; v < names->values.count; v++)
        for (int32_t f = 0; f < function; f++) {
            const struct range p = parameter_of(s, f, 0);
            if (!source_is(s, p.first, "value_t") || p.last != p.first + 1 || !range_is_empty(parameter_of(s, f, 1)))
                continue;
            snprintf(text, sizeof text, "%s = %s(%s < blockDim.x / 32 ? %s[%s] : identity()); ", names->values.item[v],
                     source_copy(s, s->function[f].name, name, sizeof name), lane, m, lane);
            const struct edit_part parts[] = {{source_begin(s, st->all), 0, text},
                                              edit_part_of(s, first, names->values.item[v])};
            edit_add(l, FIX_MISSING_STEP, 2, body, parts, 2);
        }
}
/* Adds a condition to a return, so that the last block continues. */
static void returns_always(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const bool in_body = st->parent >= 0 && s->statement[st->parent].parent < 0,
               bare = st->all.last == st->all.first + 1;
    for (unsigned k = 0; k < names->flags.count && in_body && bare; k++)
        edit_replace(l, FIX_LAST_BLOCK, 1, st->all, "if (!%s) return;", names->flags.item[k]);
}
/* Loads a value from shared memory before the next tree, directly or as the argument of a function of the file. */
static void takes_values(struct edit_list *l, const struct names *names, int32_t function, int32_t at) {
    const struct source *s = l->source;
    const char *who = *names->lane ? names->lane : names->thread;
    const struct statement *st = &s->statement[at];
    const bool opens = st->kind == STATEMENT_BLOCK && st->parent >= 0 && s->statement[st->parent].kind == STATEMENT_IF,
               waits = st->kind == STATEMENT_PLAIN && source_is(s, st->all.first, "__syncthreads");
    char text[3 * EXPRESSION_SIZE], name[NAME_SIZE];
    if (!*names->shared || !*who || !(opens || waits)) return;
    for (unsigned c = 0; c < names->counts.count; c++)
        for (unsigned v = 0; v < names->values.count; v++) {
            const char *value = names->values.item[v], *count = names->counts.item[c];
            snprintf(text, sizeof text, "%s = %s < %s ? %s[%s] : identity();", value, who, count, names->shared, who);
            edit_behind(l, FIX_MISSING_STEP, 2, at, text);
            for (int32_t f = 0; f < function; f++) {
                const struct range all = s->function[f].parameters;
                const bool takes_one = source_is(s, all.first, "value_t") && all.last == all.first + 1;
                if (s->function[f].is_kernel || !takes_one) continue;
                source_copy(s, s->function[f].name, name, sizeof name);
                snprintf(text, sizeof text, "%s = %s(%s < %s ? %s[%s] : identity());", value, name, who, count,
                         names->shared, who);
                edit_behind(l, FIX_MISSING_STEP, 2, at, text);
            }
        }
}
/* Moves `if (!last) return;` from a branch of some threads to after the next barrier, where all threads return. */
static void all_return(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t block = st->parent, branch = block < 0 ? -1 : s->statement[block].parent;
    char own[EXPRESSION_SIZE], text[EXPRESSION_SIZE + 1];
    if (branch < 0 || s->statement[branch].kind != STATEMENT_IF || s->statement[st->body].kind != STATEMENT_RETURN)
        return;
    const int32_t next = source_next(s, branch);
    if (next < 0 || !source_is(s, s->statement[next].all.first, "__syncthreads")) return;
    snprintf(text, sizeof text, " %s", source_copy(s, st->all, own, sizeof own));
    edit_add(l, FIX_EARLY_END, 1, st->all,
             (struct edit_part[]){edit_part_of(s, st->all, ""), {source_end(s, s->statement[next].all), 0, text}}, 2);
}
/* Makes all blocks but the last return, unless the next statement tests the flag. */
static void others_return(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    char text[NAME_SIZE + 40];
    if (!source_is(s, s->statement[at].all.first, "__syncthreads")) return;
    const int32_t next = source_next(s, at);
    const bool asks = next >= 0 && s->statement[next].kind == STATEMENT_IF;
    for (unsigned k = 0; k < names->flags.count; k++) {
        const char *flag = names->flags.item[k];
        if (asks && source_has(s, s->statement[next].condition, flag)) continue;
        snprintf(text, sizeof text, "if (!%s) return;", flag);
        edit_behind(l, FIX_LAST_BLOCK, 1, at, text);
    }
}
/* Lets only the last block store the result, as in `if (t == 0 && last) total[0] = sum;`. */
static void last_stores(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char condition[EXPRESSION_SIZE];
    bool stores = false;
    for (unsigned o = 0; o < names->outputs.count; o++)
        stores |= source_has(s, s->statement[st->body].all, names->outputs.item[o]);
    for (unsigned k = 0; k < names->flags.count && stores; k++)
        if (!source_has(s, st->all, names->flags.item[k]))
            edit_replace(l, FIX_LAST_BLOCK, 1, st->condition, "%s && %s",
                         source_copy(s, st->condition, condition, sizeof condition), names->flags.item[k]);
}
/* Replaces the condition of `if (blockIdx.x != 0) return;` with the negated flag of the last block. Negates
 * `if (last) return;`. */
static void last_instead(struct edit_list *l, const struct names *names, int32_t at) {
    const struct statement *st = &l->source->statement[at];
    const bool returns = l->source->statement[st->body].kind == STATEMENT_RETURN;
    for (unsigned k = 0; k < names->flags.count && source_has(l->source, st->condition, "blockIdx"); k++)
        edit_replace(l, FIX_TICKET, 1, st->condition, "%s%s", returns ? "!" : "", names->flags.item[k]);
    if (returns && st->condition.first == st->condition.last &&
        is_listed(l->source, st->condition.first, &names->flags))
        edit_insert(l, FIX_LAST_RETURNS, 0, st->condition.first, (struct range){st->all.first, st->condition.last + 1},
                    "!");
    /* `if (t == 0 && !last) return;` stops only one thread of each of the other blocks */
    const bool both =
        returns && source_has(l->source, st->condition, "&&") && !source_has(l->source, st->condition, "||");
    for (int32_t k = st->condition.first; k < st->condition.last && both; k++)
        if (source_is(l->source, k, "!") && is_listed(l->source, k + 1, &names->flags) &&
            depends_on_the_thread(l->source, st->condition))
            edit_replace(l, FIX_LAST_BLOCK, 0, st->condition, "!%.*s", (int)l->source->token[k + 1].length,
                         l->source->text + l->source->token[k + 1].at);
}
/* Changes `out[b] = combine(out[b], x)`: the output is uninitialized, or several blocks need an atomic. */
static void combines_output(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    struct range argument[3];
    const int32_t array = all.first + source_is(s, all.first, "*");
    int32_t equals = all.first;
    while (equals < all.last && !source_is(s, equals, "=")) equals++;
    if (!is_listed(s, array, &names->outputs) || call_arguments(s, equals + 1, argument, 3) != 2) return;
    const struct range target = {all.first, equals - 1};
    for (unsigned k = 0; k < 2; k++) {
        char value[EXPRESSION_SIZE], place[EXPRESSION_SIZE], output[NAME_SIZE];
        if (!is_same_text(s, argument[k], target)) continue;
        source_copy(s, argument[1 - k], value, sizeof value), source_copy(s, target, place, sizeof place);
        source_copy(s, range_of(array), output, sizeof output);
        edit_replace(l, FIX_OLD_OUTPUT, 1, all, "%s = %s;", place, value);
        edit_replace(l, FIX_OUTPUT_PLACE, 2, all, "%s[blockIdx.x] = %s;", output, value);
        edit_replace(l, FIX_ATOMIC, 1, all, "atomic_combine(%s%s, %s);", array > all.first ? "" : "&",
                     array > all.first ? output : place, value);
    }
}
static void atomics(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    bool stored = source_has(s, all, "atomicAdd");
    for (unsigned o = 0; o < names->outputs.count; o++) stored |= source_has(s, all, names->outputs.item[o]);
    for (unsigned v = 0; v < names->values.count; v++) { /* add each thread's own value, not the block's value */
        const struct range value = {all.last - 2, all.last - 2};
        if (!source_is(s, all.first, "atomic_combine") || !is_listed(s, value.first, &names->values)) continue;
        const uint32_t from = source_begin(s, all);
        char text[2 * EXPRESSION_SIZE];
        snprintf(text, sizeof text, "if (%s == 0) %.*s%s);", *names->thread ? names->thread : "threadIdx.x",
                 (int)(source_begin(s, value) - from), s->text + from, names->values.item[v]);
        if (runs_in_thread_0(s, at))
            edit_replace(l, FIX_VALUE, 2, value, "%s", names->values.item[v]);
        else
            edit_replace(l, FIX_ONE_THREAD, 2, all, "%s", text);
    }
    for (unsigned o = 0; o < names->outputs.count && stored; o++)
        for (unsigned v = 0; v < names->values.count; v++)
            if (source_has(s, all, names->values.item[v]))
                edit_replace(l,
                             source_has(s, all, "atomicAdd")        ? FIX_COMBINE
                             : source_has(s, all, "atomic_combine") ? FIX_OUTPUT_PLACE
                                                                    : FIX_ATOMIC,
                             2, all, "atomic_combine(&%s[0], %s);", names->outputs.item[o], names->values.item[v]);
}
/* Returns whether only one thread sets the variable after its declaration. Others can then read it only in shared
 * memory. */
static bool is_set_by_one(const struct source *s, struct range body, int32_t name) {
    bool any = false;
    for (int32_t k = body.first; k < body.last; k++) {
        if (k == name || !source_same(s, k, name) || !is_set(s, k) || source_is(s, k - 1, ".")) continue;
        if (!runs_in_thread_0(s, s->token[k].statement)) return false;
        any = true;
    }
    return any;
}
static void shared(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    if (s->token[all.first].kind != TOKEN_NAME || s->token[all.first + 1].kind != TOKEN_NAME) return;
    if (!source_is(s, all.first, "bool") && !source_is(s, all.first, "unsigned") && !source_is(s, all.first, "int") &&
        !source_is(s, all.first, "value_t")) {
        if (source_is(s, all.first, "__shared__") && source_is(s, all.first + 3, "["))
            edit_replace(l, FIX_SHARED_SIZE, 1, all, "extern __shared__ %.*s %.*s[];",
                         (int)s->token[all.first + 1].length, s->text + s->token[all.first + 1].at,
                         (int)s->token[all.first + 2].length, s->text + s->token[all.first + 2].at);
        return;
    }
    char type[NAME_SIZE], name[NAME_SIZE];
    const int32_t variable = all.first + 1 + is_integer_type(s, all.first + 1); /* the type may be `unsigned int` */
    source_copy(s, (struct range){all.first, variable - 1}, type, sizeof type);
    source_copy(s, range_of(variable), name, sizeof name);
    if (source_is(s, variable + 1, "[")) {
        edit_replace(l, FIX_SHARED, 1, all, "extern __shared__ %s %s[];", type, name);
        return;
    }
    const bool is_set =
        source_is(s, variable + 1, "=") && all.last > variable + 3; /* the initial value is not a constant */
    const bool by_one =
        !is_set && !source_has(s, all, ",") && is_set_by_one(s, body_of(s, s->statement[at].function), variable);
    edit_replace(l, FIX_SHARED, is_set ? 3 : by_one ? 0 : 1, all, "__shared__ %s %s;", type, name);
}
/* Returns whether the range does not use the variable declared at token `name`. */
static bool is_never_read(const struct source *s, struct range body, int32_t name) {
    for (int32_t k = body.first; k < body.last; k++)
        if (k != name && source_same(s, k, name) && !source_is(s, k - 1, ".")) return false;
    return true;
}
/* Stores a value that is computed but never read. The store comes after its declaration or after a later statement. */
static void unused(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t name = st->all.first + 1;
    const char *const places[] = {*names->thread ? names->thread : "threadIdx.x", names->lane, names->warp, "0"};
    char value[NAME_SIZE], text[2 * EXPRESSION_SIZE];
    if (!source_is(s, name - 1, "value_t") || !source_is(s, name + 1, "=")) return;
    if (!is_never_read(s, body_of(s, st->function), name)) return;
    source_copy(s, range_of(name), value, sizeof value);
    for (int32_t k = name; k < st->all.last; k++) { /* after `x = combine(a[i], a[j]);`, store x in a[i] or a[j] */
        char place[EXPRESSION_SIZE];
        if (!is_array_access(s, k)) continue;
        snprintf(text, sizeof text, " %s = %s;",
                 source_copy(s, (struct range){k - 1, s->token[k].match}, place, sizeof place), value);
        edit_add(l, FIX_NOT_STORED, 1, st->all, &(struct edit_part){source_end(s, st->all), 0, text}, 1);
    }
    if (!*names->shared) return;
    for (int32_t k = at; k < s->statements; k++) {
        const struct range all = s->statement[k].all;
        if (s->statement[k].parent != st->parent) continue;
        for (unsigned p = 0; p < sizeof places / sizeof *places; p++) {
            if (!*places[p]) continue;
            snprintf(text, sizeof text, " %s[%s] = %s;", names->shared, places[p], value);
            edit_add(l, FIX_NOT_STORED, 1, st->all, &(struct edit_part){source_end(s, all), 0, text}, 1);
        }
    }
}
/* After `v = combine(v, x[k]);` in a loop, stores v in the element that it copies: `value_t v = x[i];` or `x[i] = v;`
 * precedes the loop. */
static void copied_value(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all, body = body_of(s, s->statement[at].function);
    char place[EXPRESSION_SIZE], text[2 * EXPRESSION_SIZE];
    if (!is_listed(s, all.first, &names->values) || !source_is(s, all.first + 1, "=") || loop_around(s, at) < 0) return;
    if (!source_has(s, all, "combine")) return;
    for (int32_t open = body.first; open < all.first; open++) {
        if (!is_array_access(s, open)) continue;
        const int32_t first = s->statement[s->token[open].statement].all.first, close = s->token[open].match;
        const bool loaded = source_same(s, first + 1, all.first) && is_declared(s, first + 1),
                   stored = source_is(s, close + 1, "=") && source_same(s, close + 2, all.first);
        if (!loaded && !stored) continue;
        source_copy(s, (struct range){open - 1, close}, place, sizeof place);
        edit_replace(l, FIX_NOT_STORED, 1, range_of(all.first), "%s = %.*s", place, (int)s->token[all.first].length,
                     s->text + s->token[all.first].at);
        const int32_t next = source_next(s, at); /* other threads may still read the element */
        if (next < 0 || strncmp(s->text + s->token[s->statement[next].all.first].at, "__sync", 6) != 0) continue;
        snprintf(text, sizeof text, " %s = %.*s;", place, (int)s->token[all.first].length,
                 s->text + s->token[all.first].at);
        edit_add(l, FIX_NOT_STORED, 1, all, &(struct edit_part){source_end(s, s->statement[next].all), 0, text}, 1);
    }
}
/* Makes `x.a = y.a;`, `x.a = y.a + k;` or `x.a = NUMBER;` apply the same function as a nearby `x.b = f(y.b);`. */
static void like_beside(struct edit_list *l, int32_t at, int32_t beside) {
    const struct source *s = l->source;
    const struct range own = s->statement[at].all, other = s->statement[beside].all;
    char text[2 * EXPRESSION_SIZE];
    size_t n = 0;
    const bool number = own.last == own.first + 5 && s->token[own.first + 4].kind == TOKEN_NUMBER,
               member = own.last >= own.first + 7 && source_is(s, own.first + 5, ".");
    const bool parts = (number || member) && source_is(s, own.first + 1, ".") && source_is(s, other.first + 1, ".") &&
                       source_same(s, own.first, other.first) && source_is(s, own.first + 3, "=") &&
                       source_is(s, other.first + 3, "=") && !source_same(s, own.first + 2, other.first + 2);
    if (!parts) return;
    for (int32_t k = other.first + 4; k < other.last && n + NAME_SIZE < sizeof text; k++) {
        const bool part = source_is(s, k - 1, ".") && source_same(s, k, other.first + 2);
        const struct token *t = &s->token[part ? own.first + 2 : k];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s", source_is(s, k - 1, ",") ? " " : "",
                              t->length < NAME_SIZE ? (int)t->length : NAME_SIZE - 2, s->text + t->at);
    }
    edit_replace(l, source_shuffles(s, range_of(other.first + 4)) ? FIX_NOT_SHUFFLED : FIX_INDEX, 1,
                 (struct range){own.first + 4, own.last - 1}, "%s", text);
}
/* Initializes a value before the loop that accumulates into it. */
static void begins_anew(struct edit_list *l, const struct names *names, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t first = st->all.first;
    if (st->kind == STATEMENT_PLAIN && is_listed(s, first, &names->values) && loop_around(s, at) < 0 &&
        source_is(s, first + 1, "=") && source_is(s, first + 2, "combine") && source_same(s, first, first + 4))
        edit_insert(l, FIX_NOT_RESET, 2, first, st->all, "%.*s = identity(); ", (int)s->token[first].length,
                    s->text + s->token[first].at);
    if (loop_around(s, at) != at || st->body < 0) return;
    /* The loop may also accumulate into s[t] or total[0]. */
    for (int32_t k = s->statement[st->body].all.first; k < st->all.last; k++) {
        const struct range place = {k, source_is(s, k + 1, "[") ? s->token[k + 1].match : k};
        char text[EXPRESSION_SIZE];
        const bool known = source_is(s, k, names->shared) || is_listed(s, k, &names->outputs);
        if (!known || place.last == k || !source_is(s, place.last + 1, "=")) continue;
        if (source_is(s, place.last + 2, "combine") && source_same(s, place.last + 4, k))
            edit_insert(l, is_stored_before(s, k) ? FIX_NOT_RESET : FIX_NOT_WRITTEN, 1, st->all.first,
                        (struct range){st->all.first, st->condition.last + 1}, "%s = identity(); ",
                        source_copy(s, place, text, sizeof text));
    }
    for (unsigned k = 0; k < names->values.count; k++)
        if (source_has(s, s->statement[st->body].all, names->values.item[k]))
            edit_insert(l, FIX_NOT_RESET, 1, st->all.first, (struct range){st->all.first, st->condition.last + 1},
                        "%s = identity(); ", names->values.item[k]);
}
/* Before the first cluster barrier of a function that reads other blocks' shared memory, but stores nothing there, lets
 * thread 0 store the value that the function gets. */
static void stores_for_cluster(struct edit_list *l, const struct names *names, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function), parameters = s->function[function].parameters;
    int32_t array = -1, value = -1;
    for (int32_t k = parameters.first; k < parameters.last; k++) {
        if (!source_is(s, k, "value_t")) continue;
        if (source_is(s, k + 1, "*")) array = k + 2;
        if (s->token[k + 1].kind == TOKEN_NAME) value = k + 1;
    }
    if (array < 0 || value < 0 || !source_has(s, body, "map_shared_rank")) return;
    for (int32_t k = body.first; k < body.last; k++) {
        char to[NAME_SIZE], from[NAME_SIZE];
        if (source_same(s, k, array) && source_is(s, k + 1, "[")) return;
        if (!source_is(s, k, "sync") || !source_is(s, k - 1, ".")) continue;
        const struct range all = s->statement[s->token[k].statement].all;
        edit_insert(l, FIX_BLOCK_VALUE, 1, all.first, all, "if (%s == 0) %s[0] = %s; ",
                    *names->thread ? names->thread : "threadIdx.x", source_copy(s, range_of(array), to, sizeof to),
                    source_copy(s, range_of(value), from, sizeof from));
        return;
    }
}
void rules_missing(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    stores_for_cluster(l, &names, function);
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        if (st->function != function) continue;
        if (st->kind == STATEMENT_PLAIN)
            atomics(l, &names, k), combines_output(l, &names, k), shared(l, k), others_return(l, &names, k),
                trees(l, &names, k), copied_value(l, &names, k);
        if (st->kind == STATEMENT_BLOCK && st->parent >= 0 && !source_in_block(s, k))
            stores(l, &names, k); /* insert as the block's first statement */
        if (st->kind == STATEMENT_RETURN) returns_always(l, &names, k);
        takes_values(l, &names, function, k);
        if (!source_in_block(s, k) || st->kind == STATEMENT_RETURN) continue;
        if (st->kind == STATEMENT_PLAIN) unused(l, &names, k);
        for (int32_t n = k > 2 ? k - 2 : 0; n <= k + 2 && n < s->statements; n++)
            if (n != k && s->statement[n].parent == st->parent && s->statement[n].kind == STATEMENT_PLAIN &&
                st->kind == STATEMENT_PLAIN)
                like_beside(l, k, n);
        if (st->kind == STATEMENT_IF && st->body >= 0)
            all_return(l, k), last_instead(l, &names, k), last_stores(l, &names, k),
                second_level(l, &names, function, k), all_warps(l, &names, function, k);
        begins_anew(l, &names, k);
        if (st->kind != STATEMENT_BLOCK) calls(l, &names, function, k), stores(l, &names, k), other_half(l, &names, k);
    }
}
