/* Joins edits that correct the same mistake in several places of a function. Runs after all other rules. */
#include "fix/names.h"
#include <stdlib.h>
#include <string.h>

/* In the tests' collection of mistakes, joining edits of this cost or more never corrects anything. */
enum { UNLIKELY = 4 };
/* Returns the innermost statement directly inside braces that contains the edit, or -1. */
static int32_t in_block(const struct source *s, const struct edit *e) {
    int32_t at = s->token[e->quoted.first].statement;
    while (at >= 0 && !source_in_block(s, at)) at = s->statement[at].parent;
    return at;
}
static bool is_joinable(const struct edit *e, int32_t function) {
    return e->function == function && (e->rule || e->cause == FIX_SHUFFLE_IN_BRANCH) && e->parts == 1 && e->cost &&
           e->cost < UNLIKELY && e->cause != FIX_EARLY_END;
}
/* Returns whether both edits insert the same text before expressions of one statement, such as `start + ` before
 * `t`. */
static bool is_same_insertion(const struct source *s, const struct edit *a, const struct edit *b) {
    const struct edit_part *x = a->part, *y = b->part;
    const size_t n = strlen(x->text), m = strlen(y->text);
    return a->rule == b->rule && in_block(s, a) == in_block(s, b) && n > x->removed && m > y->removed &&
           n - x->removed == m - y->removed && !memcmp(x->text, y->text, n - x->removed) &&
           !memcmp(x->text + n - x->removed, s->text + x->at, x->removed) &&
           !memcmp(y->text + m - y->removed, s->text + y->at, y->removed);
}
/* Returns whether both edits replace the same text with the same other text or insert the same text, `b` after `a`. */
static bool is_same_change(const struct source *s, const struct edit *a, const struct edit *b) {
    const struct edit_part *x = a->part, *y = b->part;
    if (a->cause != b->cause || !x->removed || x->at + x->removed > y->at) return false;
    const bool same = x->removed == y->removed && !memcmp(s->text + x->at, s->text + y->at, x->removed);
    return same ? !strcmp(x->text, y->text) : is_same_insertion(s, a, b);
}
/* Corrects a mistake wherever the function repeats it word for word, such as the index of two stores or a mask. With
 * `within`, only corrects it in one statement. */
static void everywhere(struct edit_list *l, unsigned from, unsigned to, unsigned first, bool within) {
    const struct edit e = l->item[first];
    struct edit_part parts[EDIT_PARTS + 1] = {e.part[0]};
    unsigned count = 1, cost = e.cost;
    for (unsigned k = from; k < to && count <= EDIT_PARTS; k++) {
        const struct edit *other = &l->item[k];
        if (!is_joinable(other, e.function) || k == first) continue;
        if (within && in_block(l->source, other) != in_block(l->source, &e)) continue;
        if (is_same_change(l->source, other, &e)) return; /* `other` is the first place */
        if (!is_same_change(l->source, &e, other)) continue;
        unsigned place = count++;
        for (; parts[place - 1].at > other->part->at; place--) parts[place] = parts[place - 1];
        parts[place] = other->part[0];
        if (other->cost > cost) cost = other->cost;
    }
    if (count > 1 && count <= EDIT_PARTS) edit_add(l, e.cause, cost, e.quoted, parts, count);
}
/* Returns whether both statements access elements of the same array or begin with the same token. The first one must
 * not declare anything. */
static bool is_like_next(const struct source *s, int32_t a, int32_t b) {
    const struct range one = s->statement[a].all, other = s->statement[b].all;
    bool alike = source_same(s, one.first, other.first);
    for (int32_t k = one.first + 1; k <= one.last && !alike; k++)
        for (int32_t n = other.first + 1; n <= other.last && is_array_access(s, k); n++)
            alike |= is_array_access(s, n) && source_same(s, k - 1, n - 1);
    return alike && !is_declared(s, one.first + 1);
}
/* An edit's place: its statement, and how many edits of the same rule precede it there. */
struct place {
    int32_t statement;
    unsigned number;
};
static void find_places(const struct edit_list *l, unsigned from, unsigned to, struct place *out) {
    for (unsigned k = from; k < to; k++) {
        out[k] = (struct place){in_block(l->source, &l->item[k]), 0};
        for (unsigned n = from; n < k; n++)
            out[k].number += out[n].statement == out[k].statement && l->item[n].rule == l->item[k].rule;
    }
}
/* Corrects a mistake in a statement and in the next one, such as both guards of `if (a < n) s[t] = in[a]; if (b < n)
 * s[t + m] = in[b];`. */
static void in_next(struct edit_list *l, unsigned to, unsigned first, const struct place *place) {
    const struct edit e = l->item[first];
    const int32_t self = place[first].statement, next = self < 0 ? -1 : source_next(l->source, self);
    if (next < 0 || !is_like_next(l->source, self, next)) return;
    for (unsigned k = first + 1; k < to; k++) {
        const struct edit *other = &l->item[k];
        if (place[k].statement != next || place[k].number != place[first].number || other->rule != e.rule) continue;
        /* a value that replaces both a value and a call would only hide the call */
        const bool differ = e.cause == FIX_VALUE && (e.part->removed != other->part->removed ||
                                                     memcmp(l->source->text + e.part->at,
                                                            l->source->text + other->part->at, e.part->removed) != 0);
        if (!differ && is_joinable(other, e.function) && e.part->at + e.part->removed <= other->part->at)
            edit_add(l, e.cause, e.cost > other->cost ? e.cost : other->cost, e.quoted,
                     (struct edit_part[]){e.part[0], other->part[0]}, 2);
        return;
    }
}
void rules_alike(struct edit_list *l, int32_t function, unsigned from) {
    const unsigned to = l->count;
    struct place *place = calloc(to + 1, sizeof *place);
    if (place) find_places(l, from, to, place);
    for (unsigned k = from; place && k < to; k++) {
        if (!is_joinable(&l->item[k], function)) continue;
        everywhere(l, from, to, k, false);
        everywhere(l, from, to, k, true);
        in_next(l, to, k, place);
    }
    free(place);
}
