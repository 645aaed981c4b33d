/* Generates edits to integers that are too narrow for the indices of a large input: other types, and products in 64
 * bits. */
#include "fix/expressions.h"
#include "fix/names.h"
#include <stdlib.h>
#include <string.h>

struct parts {
    struct edit_part part[EDIT_PARTS];
    unsigned count;
};
static void put(struct parts *p, struct edit_part one) {
    for (unsigned k = 0; k < p->count; k++)
        if (p->part[k].at == one.at) return;
    if (p->count < EDIT_PARTS) p->part[p->count++] = one;
}
static int by_place(const void *a, const void *b) {
    const struct edit_part *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}
/* Sorts the parts into file order, as edit_add() requires, and adds them as one edit, if there are any. */
static void narrow(struct edit_list *l, unsigned cost, struct range quoted, struct parts *p) {
    qsort(p->part, p->count, sizeof *p->part, by_place);
    if (p->count) edit_add(l, FIX_NARROW, cost, quoted, p->part, p->count);
}
/* Declares the function's integers of type `from` as `type`, and removes the casts to `from`. */
static void widened(struct edit_list *l, int32_t function, const char *from, const char *type) {
    const struct source *s = l->source;
    const struct function *f = &s->function[function];
    struct parts p = {.count = 0};
    struct range quoted = {0, -1};
    for (int32_t k = f->is_kernel ? s->statement[f->body].all.first : f->parameters.first;
         k < s->statement[f->body].all.last; k++) {
        const bool cast = source_is(s, k - 1, "(") && source_is(s, k + 1, ")");
        if (!source_is(s, k, from) || source_is(s, k + 1, "*")) continue;
        if (cast)
            put(&p, edit_part_of(s, (struct range){k - 1, k + 1}, ""));
        else
            put(&p, edit_part_of(s, range_of(k), type));
        if (range_is_empty(quoted)) quoted = range_of(k);
    }
    narrow(l, 2, quoted, &p);
}
/* Returns whether the range contains a product or a shift. Casts the first operand of each to 64 bits. */
static bool in_64_bits(const struct source *s, const struct expressions *all, struct range r, struct parts *p) {
    bool any = false;
    for (int32_t k = 0; k < all->count; k++) {
        const struct expression *e = &all->item[k];
        const bool product =
            e->kind == EXPRESSION_BINARY && (source_is(s, e->sign, "*") || source_is(s, e->sign, "<<"));
        if (!product || e->all.first < r.first || e->all.last > r.last) continue;
        put(p, (struct edit_part){source_begin(s, e->all), 0, (char *)"(size_t)"}), any = true;
    }
    return any;
}
/* Computes each declaration's products in 64 bits and declares its variables as size_t. Also computes other
 * statements' products in 64 bits. */
static void products(struct edit_list *l, int32_t function, const struct expressions *all) {
    const struct source *s = l->source;
    for (int32_t k = 0; k < s->statements; k++) {
        const struct statement *st = &s->statement[k];
        const struct range whole = st->kind == STATEMENT_FOR ? (struct range){st->begin.first, st->step.last}
                                   : st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_RETURN ? st->all
                                                                                                 : st->condition;
        struct parts p = {.count = 0};
        if (st->function != function || st->kind == STATEMENT_BLOCK || range_is_empty(whole)) continue;
        const int32_t type = whole.first + source_is(s, whole.first, "const");
        const bool declares = is_integer_type(s, type) && is_declared(s, type + 1);
        if (declares) put(&p, edit_part_of(s, range_of(type), "size_t"));
        const bool any = in_64_bits(s, all, whole, &p);
        if (any || declares) narrow(l, any ? 1 : 2, whole, &p);
    }
}
void rules_narrow(struct edit_list *l, int32_t function) {
    struct expressions *all = malloc(sizeof *all);
    if (!all) return;
    expressions_of(l->source, function, all);
    widened(l, function, "int", "unsigned"), widened(l, function, "int", "size_t");
    widened(l, function, "unsigned", "size_t"), products(l, function, all);
    free(all);
}
