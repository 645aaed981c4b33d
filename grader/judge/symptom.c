/* Known mistakes and the wrong results they give: each row recomputes the reduction as that mistake would, and if the
 * result is what the kernel gave, says so. */
#include "judge/judge.h"
#include <string.h>

struct wrong {
    const struct grade_case *c;
    const void *data;
    struct variant v;
    uint32_t segment;
};

static union value range(const struct wrong *w, uint32_t from, uint32_t to) {
    return reference_reduce(w->v, (const char *)w->data + (size_t)from * variant_size(w->v), to > from ? to - from : 0);
}
static union value without(const struct wrong *w, uint32_t from, uint32_t to) {
    return reference_combine(w->v, range(w, 0, from), range(w, to, w->c->n));
}
static uint32_t down(uint32_t n, uint32_t unit) { return n / unit * unit; }

static union value first_segment(const struct wrong *w) {
    return range(w, 0, w->c->n < w->segment ? w->c->n : w->segment);
}
static union value no_tail(const struct wrong *w) { return range(w, 0, down(w->c->n, w->segment)); }
static union value no_tail_of_block(const struct wrong *w) { return range(w, 0, down(w->c->n, w->c->block)); }
static union value first_half(const struct wrong *w) {
    return range(w, 0, w->c->n < w->c->block ? w->c->n : w->c->block);
}
static union value first_element(const struct wrong *w) { return range(w, 0, w->c->n ? 1 : 0); }
static union value last_missing(const struct wrong *w) { return range(w, 0, w->c->n ? w->c->n - 1 : 0); }
static union value first_missing(const struct wrong *w) { return range(w, 1, w->c->n); }
static union value doubled(const struct wrong *w) {
    return reference_combine(w->v, range(w, 0, w->c->n), range(w, 0, w->c->n));
}
static union value with_zero(const struct wrong *w) {
    return reference_combine(w->v, range(w, 0, w->c->n), (union value){.bits = 0});
}
static union value only_identity(const struct wrong *w) { return reference_identity(w->v); }
static union value only_zero(const struct wrong *w) { return (void)w, (union value){.bits = 0}; }
static union value first_block_missing(const struct wrong *w) {
    return without(w, 0, w->c->n < w->segment ? w->c->n : w->segment);
}

static const struct {
    union value (*as)(const struct wrong *);
    bool many_only, few_only;
    const char *text;
} mistakes[] = {
    {doubled, false, false, "every element is counted twice"},
    {first_segment, true, false,
     "only block 0's segment is counted: do the other blocks read their own segment and write their own partial?"},
    {first_block_missing, true, false, "block 0's segment is missing"},
    {no_tail, true, false,
     "the last, incomplete segment is missing: elements past the last full 2*blockDim.x are never read"},
    {first_half, false, true, "the upper half of the segment is missing: a block covers 2*blockDim.x elements"},
    {no_tail_of_block, false, false,
     "elements past the last full blockDim.x are missing: guard each element by itself, not the whole block"},
    {last_missing, false, false, "the last element is missing: is a comparison with n off by one?"},
    {first_missing, false, false, "the first element is missing"},
    {first_element, false, false, "the result is the first element alone: nothing is combined into it"},
    {with_zero, false, false,
     "0 was combined in where there is no element: use identity(), which is not 0 for this operator"},
    {only_identity, false, false, "the result is identity(): no element is counted"},
    {only_zero, false, false, "the result is 0"},
};

uint32_t symptom(const struct grade_case *c, const void *data, const struct outcome *o) {
    const struct wrong w = {c, data, c->variant, (c->kernel->elements ? c->kernel->elements : 1) * c->block};
    uint32_t found = 0;
    for (unsigned k = 0; !o->unwritten && k < sizeof mistakes / sizeof *mistakes; k++) {
        if (mistakes[k].many_only && c->n <= w.segment) continue;
        if (mistakes[k].few_only && c->n > w.segment) continue;
        if (reference_equal(c->variant, mistakes[k].as(&w), o->got)) found |= 1u << k;
    }
    return found;
}
const char *symptom_text(uint32_t found) { return found ? mistakes[__builtin_ctz(found)].text : ""; }

int64_t symptom_missing(const struct grade_case *c, const void *data, const struct outcome *o) {
    const struct wrong w = {c, data, c->variant, c->block};
    for (uint32_t k = 0; c->n <= 4096 && k < c->n; k++)
        if (reference_equal(c->variant, without(&w, k, k + 1), o->got)) return k;
    return -1;
}
