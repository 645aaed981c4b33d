/* Generates edits of the ticket with which a grid finds its last block: it is drawn, compared and reset. */
#include "fix/loops.h"
#include <string.h>

/* Returns whether only thread 0 executes the statement, and the statement is directly inside braces, so that statements
 * can be added after it. */
static bool is_of_thread_0(const struct source *s, int32_t function, int32_t at) {
    const struct statement *st = &s->statement[at];
    return st->function == function && st->kind == STATEMENT_PLAIN && runs_in_thread_0(s, at) &&
           s->statement[st->parent].kind == STATEMENT_BLOCK;
}
/* Draws a ticket to set the flag of the last block, if no statement sets it. */
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
/* Removes a reset that may come too early. If it is the only reset, thread 0 resets the ticket in a later statement. */
static void reset_by_last(struct edit_list *l, int32_t function, struct range reset, const char *word) {
    const struct source *s = l->source;
    char text[EXPRESSION_SIZE + 1], closed[EXPRESSION_SIZE + 4];
    snprintf(text, sizeof text, " %s", word), snprintf(closed, sizeof closed, " %s }", word);
    edit_replace(l, FIX_RESET_EARLY, 1, reset, ";");
    for (int32_t n = 0; n < s->statements; n++) {
        const struct range all = s->statement[n].all;
        if (s->statement[n].function != function || s->statement[n].kind != STATEMENT_PLAIN) continue;
        if (!runs_in_thread_0(s, n) || all.first <= reset.last) continue;
        const bool bare = s->statement[s->statement[n].parent].kind != STATEMENT_BLOCK; /* needs braces */
        edit_add(l, FIX_RESET_EARLY, 2, reset,
                 (struct edit_part[]){edit_part_of(s, reset, ";"),
                                      {source_begin(s, all), 0, (char *)(bare ? "{ " : "")},
                                      {source_end(s, all), 0, bare ? closed : text}},
                 3);
    }
}
/* Resets the module's counters at the end of a launch, or updates them with atomics. */
void rules_tickets(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    struct names names;
    names_of(s, function, &names);
    const struct range body = body_of(s, function);
    for (int32_t k = 0; k + 3 < s->tokens; k++) {
        char name[NAME_SIZE], text[EXPRESSION_SIZE];
        const bool counts = source_is(s, k, "__device__") && is_integer_type(s, k + 1) && s->token[k].statement < 0;
        if (!counts || (!source_is(s, k + 3, ";") && !source_is(s, k + 3, "="))) continue;
        source_copy(s, range_of(k + 2), name, sizeof name);
        draws_a_ticket(l, &names, function, name);
        if (!source_has(s, body, name)) continue;
        snprintf(text, sizeof text, "%s = 0;", name);
        for (int32_t n = 0; n < s->statements; n++)
            if (is_of_thread_0(s, function, n)) edit_behind(l, FIX_RESET, 1, n, text);
        for (int32_t n = 0; n < s->statements; n++) { /* a reset by a block other than the last one */
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
