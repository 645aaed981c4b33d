/* Generates edits to branches whose code all threads must execute. */
#include "fix/loops.h"
#include <stdlib.h>
#include <string.h>

/* Returns how many blanks deeper a block's first statement is indented than the line of the block's `if`. Returns 0 if
 * it is not deeper, or does not begin its line. */
static uint32_t deeper(const struct source *s, int32_t branch, int32_t first) {
    const uint32_t at = source_begin(s, s->statement[first].all), outer = source_begin(s, s->statement[branch].all),
                   line = edit_line_begin(s->text, at), above = edit_line_begin(s->text, outer);
    const size_t inner = strspn(s->text + line, " "), own = strspn(s->text + above, " ");
    return line + inner == at && inner > own ? (uint32_t)(inner - own) : 0;
}
/* Prints the bytes from `from` to `to`. Each line except the first gets `less` fewer blanks at its beginning. */
static void put_outward(FILE *f, const char *text, uint32_t from, uint32_t to, uint32_t less) {
    uint32_t skip = 0; /* blanks to leave out */
    for (uint32_t k = from; k < to; k++) {
        if (text[k] != ' ') skip = 0;
        if (!skip)
            fputc(text[k], f);
        else
            skip--;
        if (text[k] == '\n') skip = less;
    }
}
/* Returns the first statement in the block of an `if` without else, or -1. The `if` must be in a block itself. */
static int32_t first_of_block(const struct source *s, int32_t at) {
    const struct statement *st = &s->statement[at];
    const bool whole = st->kind == STATEMENT_IF && st->body >= 0 && source_in_block(s, at) &&
                       s->statement[st->body].kind == STATEMENT_BLOCK &&
                       s->statement[st->body].all.last == st->all.last;
    if (!whole) return -1;
    return st->body + 1 < s->statements && s->statement[st->body + 1].parent == st->body ? st->body + 1 : -1;
}
/* Returns whether the block declares a name that the function also declares elsewhere. */
static bool declares_again(const struct source *s, int32_t block) {
    const struct range all = s->statement[block].all, body = body_of(s, s->statement[block].function);
    for (int32_t k = all.first; k <= all.last; k++)
        for (int32_t n = body.first; n <= body.last && is_declared(s, k); n++)
            if ((n < all.first || n > all.last) && is_declared(s, n) && source_same(s, n, k)) return true;
    return false;
}
/* Removes a condition on the thread from `if (last && t < 32) { ... }`, whose body has a statement that all threads
 * must reach. */
static void fewer_conditions(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range c = s->statement[at].condition;
    if (s->statement[at].kind != STATEMENT_IF || !source_has(s, c, "&&") || source_has(s, c, "||")) return;
    int32_t waits = at + 1; /* the first statement in the branch that waits */
    while (waits < s->statements && s->statement[waits].all.last <= s->statement[at].all.last &&
           !(s->statement[waits].kind == STATEMENT_PLAIN && source_waits(s, s->statement[waits].all)))
        waits++;
    if (waits == s->statements || s->statement[waits].all.last > s->statement[at].all.last) return;
    const struct range quoted = s->statement[waits].all;
    const enum fix_cause cause = source_has(s, quoted, "__syncthreads") ? FIX_BARRIER_IN_BRANCH : FIX_CALL_IN_BRANCH;
    for (int32_t op = c.first + 1; op < c.last; op++) {
        if (!source_is(s, op, "&&")) continue;
        const struct range left = conjunct_of(s, c, op - 1), right = conjunct_of(s, c, op + 1);
        const struct edit_part first = {source_begin(s, left), s->token[op + 1].at - source_begin(s, left), (char *)""},
                               last = {source_end(s, range_of(op - 1)),
                                       source_end(s, right) - source_end(s, range_of(op - 1)), (char *)""};
        if (depends_on_the_thread(s, left)) edit_add(l, cause, 1, quoted, &first, 1);
        if (depends_on_the_thread(s, right)) edit_add(l, cause, 1, quoted, &last, 1);
    }
}
void call_out_of_branch(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    const int32_t first = first_of_block(s, at);
    int32_t last = -1, next = -1;
    fewer_conditions(l, at);
    if (first < 0 || declares_again(s, st->body) || !depends_on_the_thread(s, st->condition)) return;
    for (int32_t k = first; k >= 0; k = source_next(s, k)) {
        const struct range all = s->statement[k].all;
        if (s->statement[k].kind == STATEMENT_PLAIN && (source_waits(s, all) || range_shuffles(s, all))) last = k;
    }
    if (last >= 0) next = source_next(s, last);
    if (next < 0) return;
    const uint32_t less = deeper(s, at, first), from = source_begin(s, s->statement[first].all),
                   to = source_end(s, s->statement[last].all), begin = source_begin(s, st->all),
                   line = edit_line_begin(s->text, begin);
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return;
    put_outward(f, s->text, from, to, less);
    fprintf(f, "\n%.*s%.*s {", (int)strspn(s->text + line, " \t"), s->text + line,
            (int)(source_end(s, (struct range){st->all.first, st->condition.last + 1}) - begin), s->text + begin);
    fprintf(f, "%.*s", (int)(source_end(s, st->all) - to), s->text + to);
    fclose(f);
    const struct edit_part part = edit_part_of(s, st->all, text);
    const bool waits = source_waits(s, s->statement[last].all);
    edit_add(l, waits ? FIX_BARRIER_IN_BRANCH : FIX_SHUFFLE_IN_BRANCH, 1, s->statement[last].all, &part, 1);
    free(text);
}
struct edit_part without_braces(const struct source *s, const struct edit_part *p, char **text) {
    *text = NULL;
    for (int32_t k = 0; k < s->statements && !*p->text; k++) {
        const struct statement *st = &s->statement[k];
        const int32_t first = first_of_block(s, k);
        size_t size;
        if (first < 0 || source_begin(s, st->all) != p->at) continue;
        if (source_begin(s, s->statement[st->body].all) != p->at + p->removed || declares_again(s, st->body)) continue;
        FILE *f = open_memstream(text, &size);
        if (!f) break;
        int32_t last = first;
        while (source_next(s, last) >= 0) last = source_next(s, last);
        put_outward(f, s->text, source_begin(s, s->statement[first].all), source_end(s, s->statement[last].all),
                    deeper(s, k, first));
        fclose(f);
        return edit_part_of(s, st->all, *text);
    }
    *text = NULL;
    return *p;
}
void kept_otherwise(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    int32_t equals = all.first, mark;
    while (equals < all.last && !source_is(s, equals, "=")) equals++;
    for (mark = equals; mark < all.last && !source_is(s, mark, "?");) mark++;
    const struct range target = {all.first, equals - 1}, value = operand_behind(s, mark),
                       other = operand_behind(s, value.last + 1);
    struct range condition = {equals + 1, mark - 1};
    if (s->statement[at].kind != STATEMENT_PLAIN || mark >= all.last || range_is_empty(condition)) return;
    if (!is_same_text(s, target, other) || other.last + 1 != all.last || !source_in_block(s, at)) return;
    if (source_is(s, condition.first, "(") && s->token[condition.first].match == condition.last)
        condition.first++, condition.last--;
    char test[EXPRESSION_SIZE], element[EXPRESSION_SIZE], result[2 * EXPRESSION_SIZE];
    edit_replace(l, FIX_STORED_ANYWAY, 1, all, "if (%s) %s = %s;", source_copy(s, condition, test, sizeof test),
                 source_copy(s, target, element, sizeof element), source_copy(s, value, result, sizeof result));
}
void leaves_in_else(struct edit_list *l, int32_t at) {
    const struct source *s = l->source;
    const struct range all = s->statement[at].all;
    const int32_t around = loop_around(s, at), from = all.first - 1;
    const bool leaves = source_is(s, all.first, "break"), skips = source_is(s, all.first, "continue");
    if ((!leaves && !skips) || !source_is(s, from, "else") || around < 0) return;
    const uint32_t begin = source_end(s, range_of(from - 1));
    if (source_waits(s, s->statement[around].all))
        edit_add(l, skips ? FIX_PASS_SKIPPED : FIX_LOOP_LEFT, 1, all,
                 &(struct edit_part){begin, source_end(s, all) - begin, (char *)""}, 1);
}
bool stores_own_element(const struct source *s, int32_t at) {
    const struct statement *st = &s->statement[at];
    const int32_t t = st->condition.first;
    if (st->kind != STATEMENT_IF || st->body < 0 || !source_is(s, t + 1, "<") || !depends_on_the_thread(s, range_of(t)))
        return false;
    const int32_t array = s->statement[st->body].all.first, close = array + 3;
    return !source_has(s, st->condition, "&&") && is_array_access(s, array + 1) && source_same(s, array + 2, t) &&
           s->token[array + 1].match == close && source_is(s, close + 1, "=") &&
           !source_has(s, (struct range){close + 1, st->all.last}, "[");
}
