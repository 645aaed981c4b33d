/* Generates edits to the code of the ticket that tells a block whether it is the grid's last one: how it is drawn,
 * compared and reset. */
#include "fix/loops.h"
#include <string.h>

/* Returns whether only thread 0 executes the statement. It must be directly inside braces, so that other statements can
 * follow it. */
static bool is_of_thread_0(const struct source *s, int32_t function, int32_t at) {
    const struct statement *st = &s->statement[at];
    return st->function == function && st->kind == STATEMENT_PLAIN && runs_in_thread_0(s, at) && source_in_block(s, at);
}
/* Adds the reset after a statement of thread 0. A statement without braces, as in `if (t == 0) *out = x;`, gets them.
 */
static void resets_behind(struct edit_list *l, int32_t function, int32_t at, const char *reset) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char text[EXPRESSION_SIZE + 4];
    if (!strncmp(s->text + source_begin(s, st->all), reset, strlen(reset))) return; /* this is a reset */
    if (is_of_thread_0(s, function, at)) {
        edit_behind(l, FIX_RESET, 1, at, reset);
        return;
    }
    if (st->function != function || st->kind != STATEMENT_PLAIN || st->parent < 0 || !runs_in_thread_0(s, at)) return;
    if (s->statement[st->parent].kind != STATEMENT_IF) return;
    snprintf(text, sizeof text, " %s }", reset);
    edit_add(l, FIX_RESET, 1, st->all,
             (struct edit_part[]){{source_begin(s, st->all), 0, (char *)"{ "}, {source_end(s, st->all), 0, text}}, 2);
}
/* If no statement sets the flag of the last block, draws a ticket to set it. */
static void draws_a_ticket(struct edit_list *l, const struct names *names, int32_t function, const char *counter) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    char text[2 * EXPRESSION_SIZE];
    if (!names->flags.count) return;
    const char *flag = names->flags.item[names->flags.count - 1];
    for (int32_t k = body.first; k < body.last; k++)
        if (is_listed(s, k, &names->flags) && is_set(s, k)) return;
    for (int32_t n = 0; n < s->statements; n++)
        for (unsigned c = 0; is_of_thread_0(s, function, n) && c <= names->counts.count; c++) {
            const char *blocks = c ? names->counts.item[c - 1] : "gridDim.x";
            snprintf(text, sizeof text, "%s = atomicAdd(&%s, 1) == %s - 1;", flag, counter, blocks);
            edit_behind(l, FIX_NO_TICKET, c ? 2 : 1, n, text);
        }
}
/* Removes a reset that may come too early, or moves it to a later statement of thread 0. */
static void reset_by_last(struct edit_list *l, int32_t function, struct range reset, const char *word) {
    const struct source *s = l->source;
    char text[EXPRESSION_SIZE + 1], closed[EXPRESSION_SIZE + 4];
    snprintf(text, sizeof text, " %s", word), snprintf(closed, sizeof closed, " %s }", word);
    edit_replace(l, FIX_RESET_EARLY, 1, reset, ";");
    for (int32_t n = 0; n < s->statements; n++) {
        const struct range all = s->statement[n].all;
        if (s->statement[n].function != function || s->statement[n].kind != STATEMENT_PLAIN) continue;
        if (!runs_in_thread_0(s, n) || all.first <= reset.last) continue;
        const bool bare = !source_in_block(s, n); /* needs braces */
        edit_add(l, FIX_RESET_EARLY, 2, reset,
                 (struct edit_part[]){edit_part_of(s, reset, ";"),
                                      {source_begin(s, all), 0, (char *)(bare ? "{ " : "")},
                                      {source_end(s, all), 0, bare ? closed : text}},
                 3);
    }
}
/* Returns whether a ticket is drawn and assigned to the variable named by this token. */
static bool holds_ticket(const struct source *s, struct range body, int32_t name) {
    for (int32_t k = body.first + 2; k < body.last; k++)
        if (draws_ticket(s, k) && source_is(s, k - 1, "=") && source_same(s, k - 2, name)) return true;
    return false;
}
/* In `mine = __shfl_sync(mask, mine, 0);`, only the first warp gets the ticket that thread 0 drew. Makes the variable
 * shared and turns the shuffle into a barrier. */
static void to_all_warps(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    const struct range body = body_of(s, function);
    char type[NAME_SIZE], name[NAME_SIZE], text[3 * NAME_SIZE];
    for (int32_t k = 0; k < s->statements; k++) {
        const struct range all = s->statement[k].all;
        if (s->statement[k].function != function || s->statement[k].kind != STATEMENT_PLAIN) continue;
        if (!source_is(s, all.first + 1, "=") || !source_is(s, all.first + 2, "__shfl_sync")) continue;
        for (int32_t n = body.first + 1; n < all.first; n++) {
            const int32_t self = s->token[n].statement;
            const struct range declaration = s->statement[self].all;
            const struct range types = {declaration.first, n - 1};
            if (!source_same(s, n, all.first) || !is_declared(s, n) || source_has(s, types, ",")) continue;
            if (declaration.last > n + 3)
                continue; /* its initial value is not a constant, or it declares others, too */
            snprintf(text, sizeof text, "__shared__ %s %s;", source_copy(s, types, type, sizeof type),
                     source_copy(s, range_of(n), name, sizeof name));
            edit_add(l, FIX_ACROSS_WARPS, holds_ticket(s, body, all.first) ? 0 : 1, all,
                     (struct edit_part[]){edit_part_of(s, declaration, text), edit_part_of(s, all, "__syncthreads();")},
                     2);
        }
    }
}
/* If the statement is a loop whose condition reads the counter, directly or through a pointer, returns the condition:
 * the loop waits until other blocks change the counter. Otherwise returns an empty range. */
static struct range waits_for(const struct source *s, int32_t at, const char *counter) {
    const struct statement *st = &s->statement[at];
    const struct range none = {0, -1}, c = st->condition, before = {0, st->all.first - 1};
    if (loop_around(s, at) != at || range_is_empty(c)) return none;
    if (source_has(s, c, counter)) return c;
    for (int32_t k = c.first; k <= c.last; k++)
        for (int32_t n = before.first; n < before.last && s->token[k].kind == TOKEN_NAME; n++)
            if (source_same(s, n, k) && source_is(s, n + 1, "=") && source_is(s, n + 2, "&") &&
                source_is(s, n + 3, counter))
                return c;
    return none;
}
/* Returns the statement `atomicAdd(&counter, 1);`, whose result is not used, or -1. */
static int32_t only_counts(const struct source *s, int32_t function, const char *counter) {
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function && s->statement[k].kind == STATEMENT_PLAIN &&
            draws_ticket(s, s->statement[k].all.first) && source_has(s, s->statement[k].all, counter))
            return k;
    return -1;
}
/* Turns `atomicAdd(&counter, 1); last = counter == gridDim.x;` into one statement with the atomic's result. */
static void drawn_apart(struct edit_list *l, int32_t function, const char *counter) {
    const struct source *s = l->source;
    const int32_t draw = only_counts(s, function, counter);
    char text[EXPRESSION_SIZE];
    snprintf(text, sizeof text, "atomicAdd(&%s, 1) == gridDim.x - 1", counter);
    for (int32_t k = draw + 1; draw >= 0 && k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        const struct range all = st->all, condition = st->condition;
        if (st->function != function) continue;
        int32_t equals = all.first;
        while (equals < all.last && !source_is(s, equals, "=")) equals++;
        const struct range value = {equals + 1, all.last - 1}, read = st->kind == STATEMENT_PLAIN ? value
                                                                      : st->kind == STATEMENT_IF
                                                                          ? condition
                                                                          : (struct range){0, -1};
        if (range_is_empty(read) || !source_has(s, read, counter) || has_draw(s, read)) continue;
        const struct edit_part parts[] = {edit_part_of(s, s->statement[draw].all, ""), edit_part_of(s, read, text)};
        edit_add(l, FIX_COUNTER_REREAD, 1,
                 st->kind == STATEMENT_IF ? (struct range){all.first, condition.last + 1} : all, parts, 2);
    }
}
/* Returns the statement at the top level of the function's body that contains statement `at`. */
static int32_t outermost(const struct source *s, int32_t at) {
    while (s->statement[at].parent >= 0 && s->statement[s->statement[at].parent].parent >= 0)
        at = s->statement[at].parent;
    return at;
}
/* Changes a kernel in which one block waits in a loop until all blocks have incremented the counter, so that the last
 * block continues. Removes the loop and lets all other blocks return. */
static void last_block_instead(struct edit_list *l, int32_t function, const char *counter) {
    const struct source *s = l->source;
    const int32_t draw = only_counts(s, function, counter);
    int32_t wait = -1, gate = -1;
    char text[EXPRESSION_SIZE];
    const char *leave = "__syncthreads(); if (!is_last) return;", *stay = "__syncthreads(); if (is_last)";
    if (draw < 0 || !s->function[function].is_kernel) return;
    const struct range drawn = s->statement[draw].all;
    for (int32_t k = draw; k < s->statements && wait < 0; k++) {
        if (s->statement[k].function != function) continue;
        if (!range_is_empty(waits_for(s, k, counter))) wait = k;
        if (s->statement[k].kind == STATEMENT_IF && source_has(s, s->statement[k].condition, "blockIdx")) gate = k;
    }
    if (wait < 0) return;
    const struct statement *loop = &s->statement[wait], *branch = gate < 0 ? NULL : &s->statement[gate];
    const struct range quoted =
        loop->kind == STATEMENT_DO ? loop->condition : (struct range){loop->all.first, loop->condition.last + 1};
    const bool returns = branch && s->statement[branch->body].kind == STATEMENT_RETURN;
    snprintf(text, sizeof text, "is_last = atomicAdd(&%s, 1) == gridDim.x - 1;", counter);
    const int32_t top = gate < 0 ? outermost(s, wait) : gate;
    const struct edit_part head = {source_begin(s, s->statement[outermost(s, draw)].all), 0,
                                   (char *)"__shared__ bool is_last; "},
                           count = edit_part_of(s, drawn, text), no_wait = edit_part_of(s, loop->all, ";");
    if (outermost(s, draw) == draw) return; /* all threads count */
    if (!branch || returns) {
        if (!branch && top == wait)
            edit_add(l, FIX_WAITS, 1, quoted, (struct edit_part[]){head, count, edit_part_of(s, loop->all, leave)}, 3);
        else if (!branch)
            edit_add(
                l, FIX_WAITS, 1, quoted,
                (struct edit_part[]){head, count, {source_begin(s, s->statement[top].all), 0, (char *)leave}, no_wait},
                4);
        else
            edit_add(l, FIX_WAITS, 1, quoted,
                     (struct edit_part[]){head, count, edit_part_of(s, branch->all, leave), no_wait}, 4);
        return;
    }
    const struct range around = {branch->all.first, branch->condition.last + 1};
    const bool alone = !source_has(s, branch->condition, "threadIdx") && !source_has(s, branch->condition, "&&");
    if (alone)
        edit_add(l, FIX_WAITS, 1, quoted, (struct edit_part[]){head, count, edit_part_of(s, around, stay), no_wait}, 4);
}
/* Changes `if (condition) flag = true;` to `flag = condition;`. */
static void flag(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    if (st->kind != STATEMENT_IF || st->all.last != s->statement[st->body].all.last) return;
    struct range body = s->statement[st->body].all;
    if (source_is(s, body.first, "{")) body.first++, body.last--;
    char name[NAME_SIZE], condition[EXPRESSION_SIZE];
    if (body.last - body.first != 3 || !source_is(s, body.first + 1, "=")) return;
    if (source_is(s, body.first + 2, "true") || source_is(s, body.first + 2, "1"))
        edit_replace(l, FIX_FLAG, 1, st->all, "%s = %s;", source_copy(s, range_of(body.first), name, sizeof name),
                     source_copy(s, st->condition, condition, sizeof condition));
}
/* Returns whether the statement declares a variable. */
static bool declares_any(const struct source *s, int32_t at) {
    for (int32_t k = s->statement[at].all.first + 1; k < s->statement[at].all.last; k++)
        if (s->statement[at].kind == STATEMENT_PLAIN && is_declared(s, k)) return true;
    return false;
}
/* Reorders three statements that draw a ticket: the first moves to the end, the last to the
 * front, or both. */
static void order_of_three(struct edit_list *l, int32_t a) {
    const struct source *s = l->source;
    const int32_t b = source_next(s, a), c = source_next(s, b);
    if (c < 0 || !source_in_block(s, a)) return;
    if ((declares_any(s, a) && !has_draw(s, s->statement[a].all)) || declares_any(s, b) || declares_any(s, c)) return;
    const struct range all = {s->statement[a].all.first, s->statement[c].all.last};
    char text[3][EXPRESSION_SIZE];
    const int32_t at[3] = {a, b, c};
    if (!has_draw(s, all) && !source_has(s, all, "__threadfence")) return;
    for (unsigned k = 0; k < 3; k++) {
        const struct range r = s->statement[at[k]].all;
        if (source_end(s, r) - source_begin(s, r) >= EXPRESSION_SIZE) return;
        source_copy(s, r, text[k], EXPRESSION_SIZE);
    }
    for (unsigned k = 0; k < 3;
         k++) { /* after `x = atomicAdd(...); a[x] = y;`: a block must use its own index, not its ticket */
        const struct range draw = s->statement[a].all, store = s->statement[at[k]].all;
        const int32_t open = store.first + 1;
        int32_t name = draw.first;
        while (name < draw.last && !source_is(s, name + 1, "=")) name++;
        if (!k || !draws_ticket(s, name + 2) || !is_array_access(s, open)) continue;
        if (!source_same(s, open + 1, name) || s->token[open].match != open + 2) continue;
        char array[NAME_SIZE], now[3 * EXPRESSION_SIZE];
        snprintf(now, sizeof now, "%s[blockIdx.x]%.*s __threadfence(); %s",
                 source_copy(s, range_of(store.first), array, sizeof array),
                 (int)(source_end(s, store) - s->token[open + 2].at - 1), s->text + s->token[open + 2].at + 1, text[0]);
        const struct edit_part part = edit_part_of(s, all, now);
        edit_add(l, FIX_OUTPUT_PLACE, 1, store, &part, 1);
    }
    const struct range draw = s->statement[a].all, middle = s->statement[b].all, store = s->statement[c].all;
    edit_add(l, FIX_FENCE, 1, all,
             (struct edit_part[]){edit_part_of(s, draw, text[1]), edit_part_of(s, middle, text[2]),
                                  edit_part_of(s, store, text[0])},
             3);
    edit_add(l, FIX_FENCE, 1, all,
             (struct edit_part[]){edit_part_of(s, draw, text[2]), edit_part_of(s, middle, text[0]),
                                  edit_part_of(s, store, text[1])},
             3);
    if (has_draw(s, draw) && source_is(s, middle.first, "__threadfence") && is_array_access(s, store.first + 1))
        edit_add(l, FIX_FENCE, 1, store,
                 (struct edit_part[]){edit_part_of(s, draw, text[2]), edit_part_of(s, store, text[0])}, 2);
}
void rules_tickets(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    const struct range body = body_of(s, function);
    to_all_warps(l, function);
    for (int32_t k = 0; k < s->statements; k++)
        if (s->statement[k].function == function && s->statement[k].parent >= 0) flag(l, k), order_of_three(l, k);
    for (int32_t k = 1; k + 1 < s->tokens; k++) {
        char name[NAME_SIZE], text[EXPRESSION_SIZE];
        if (!declares_module_variable(s, k) || !is_integer_type(s, k - 1) || source_is(s, k + 1, "[")) continue;
        source_copy(s, range_of(k), name, sizeof name);
        draws_a_ticket(l, &names, function, name), last_block_instead(l, function, name),
            drawn_apart(l, function, name);
        if (!source_has(s, body, name)) continue;
        snprintf(text, sizeof text, "%s = 0;", name);
        for (int32_t n = 0; n < s->statements; n++) resets_behind(l, function, n, text);
        for (int32_t n = 0; n < s->statements; n++) { /* a reset by another block than the last */
            const struct statement *st = &s->statement[n], *above = st->parent < 0 ? st : &s->statement[st->parent];
            const bool resets = st->kind == STATEMENT_PLAIN && source_is(s, st->all.first, name) &&
                                source_is(s, st->all.first + 1, "=") && st->all.last == st->all.first + 3;
            if (st->function == function && resets)
                reset_by_last(l, function, above->kind == STATEMENT_IF ? above->all : st->all, text);
        }
        for (int32_t n = body.first; n < body.last; n++)
            if (source_is(s, n, name) && source_is(s, n + 1, "++"))
                edit_replace(l, FIX_ATOMIC, 1, (struct range){n, n + 1}, "atomicAdd(&%s, 1)", name);
        for (int32_t n = body.first; n < body.last; n++) {
            if (!source_is(s, n, "=") || !is_listed(s, n - 1, &names.flags)) continue;
            const struct range all = s->statement[s->token[n].statement].all, value = {n + 1, all.last - 1};
            if (!source_is(s, all.last, ";")) continue;
            snprintf(text, sizeof text, "atomicAdd(&%s, 1) == gridDim.x - 1", name);
            edit_replace(l, FIX_TICKET, 2, value, "%s", text);
            const struct edit_part drawn[] = {{source_begin(s, all), 0, (char *)"__threadfence(); "},
                                              edit_part_of(s, value, text)};
            if (!has_draw(s, body)) edit_add(l, FIX_TICKET, 2, all, drawn, 2);
        }
    }
}
