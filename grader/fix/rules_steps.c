/* Generates edits to unrolled steps: a sequence with one statement per step instead of a loop. */
#include "fix/loops.h"
#include <stdlib.h>
#include <string.h>

static unsigned long number_at(const struct source *s, int32_t token) {
    return s->token[token].kind == TOKEN_NUMBER ? strtoul(s->text + s->token[token].at, NULL, 0) : 0;
}
/* Compares two statements that differ only in numbers. Returns 4 * x / y for a number x of `a` and the different number
 * y of `b`. Returns 0 if other tokens differ, or if this ratio is not an integer or not the same for all such numbers.
 */
static unsigned long ratio_of(const struct source *s, struct range a, struct range b) {
    unsigned long ratio = 0;
    if (a.last - a.first != b.last - b.first) return 0;
    for (int32_t k = a.first, n = b.first; k <= a.last; k++, n++) {
        if (source_same(s, k, n)) continue;
        const unsigned long x = number_at(s, k), y = number_at(s, n);
        if (!x || !y || 4 * x % y || (ratio && ratio != 4 * x / y)) return 0;
        ratio = 4 * x / y;
    }
    return ratio;
}
/* Inserts a copy of statement `a` before or after it. Each number of the copy that `b` does not share is multiplied by
 * factor / 2. */
static void copied(struct edit_list *l, struct range a, struct range b, unsigned long factor, bool behind) {
    const struct source *s = l->source;
    const uint32_t from = source_begin(s, a), to = source_end(s, a);
    char text[3 * EXPRESSION_SIZE] = "";
    size_t n = 0;
    if (to - from + 64 >= sizeof text) return;
    for (int32_t k = a.first; k <= a.last; k++) {
        const struct token *t = &s->token[k];
        const uint32_t gap = k > a.first ? t->at - s->token[k - 1].at - s->token[k - 1].length : 0;
        const bool other = !source_same(s, k, b.first + k - a.first);
        if (other && !(number_at(s, k) * factor / 2)) return;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s", !n && behind ? " " : "", (int)gap,
                              s->text + t->at - gap);
        n += other ? (size_t)snprintf(text + n, sizeof text - n, "%lu", number_at(s, k) * factor / 2)
                   : (size_t)snprintf(text + n, sizeof text - n, "%.*s", (int)t->length, s->text + t->at);
        if (n + 32 >= sizeof text) return;
    }
    if (!behind) strcat(text, " ");
    edit_add(l, FIX_MISSING_STEP, 1, a, &(struct edit_part){behind ? to : from, 0, text}, 1);
}
/* Completes a sequence of statements that differ only in numbers, which each statement halves or doubles. Adds a
 * missing statement between two, before the first one, or after the last one. */
static void step_left_out(struct edit_list *l, int32_t at, int32_t next) {
    const struct source *s = l->source;
    const struct range a = s->statement[at].all, b = s->statement[next].all;
    const unsigned long ratio = ratio_of(s, a, b);
    if (ratio == 16 || ratio == 1) copied(l, a, b, ratio == 16 ? 1 : 4, true);
    if (ratio == 8) copied(l, a, b, 4, false), copied(l, b, a, 1, true);
    if (ratio == 2) copied(l, a, b, 1, false), copied(l, b, a, 4, true);
}
void rules_steps(struct edit_list *l, int32_t function) {
    const struct source *s = l->source;
    for (int32_t k = 0; k < s->statements; k++) {
        const int32_t next = s->statement[k].function == function ? source_next(s, k) : -1;
        if (next >= 0) step_left_out(l, k, next);
    }
}
