/* See case_again.h. */
#include "judge/case_again.h"
#include "base/hash.h"
#include "judge/case_large.h"
#include <math.h>
#include <string.h>

static uint64_t drawn(const struct grade_case *c, unsigned k, const char *what) {
    const uint64_t of[] = {c->seed, c->n, c->block, c->grid, c->offset, k};
    return hash_text(hash_bytes(HASH_START, of, sizeof of), what) >> 8;
}

/* ---- launches ------------------------------------------------------------------------------- */
/* Returns whether runs draw no sizes of their own: because the case is large, or because its launches may be
 * skipped. */
static bool keeps_sizes(const struct grade_case *c) { return c->wrap || case_is_large(c); }
/* Returns whether run k repeats the sizes of run k - 1. This is true for every run of some cases, and for one run in
 * four of the others, at random. A kernel that caches results by size then fails. */
static bool is_like_before(const struct grade_case *c, unsigned k) {
    return keeps_sizes(c) || drawn(c, k, "again") % 4 == 0;
}
bool case_moves(const struct grade_case *c) {
    return !c->kernel->in_place && !keeps_sizes(c) && c->data != DATA_TURNS && c->kernel->finish != FINISH_ARRAYS &&
           drawn(c, 0, "moves") % 2;
}
static bool is_moved(const struct grade_case *c, unsigned k) {
    while (k > 1 && is_like_before(c, k)) k--;
    return k == 1 || (k && drawn(c, k, "moves") % 2);
}
struct grade_case case_launch(const struct grade_case *c, unsigned k) {
    struct grade_case l = *c;
    const uint32_t few = c->n < c->block ? c->n : c->block;
    if (c->data == DATA_TURNS) { /* odd runs are small; even ones repeat run 0 */
        if (k % 2) l.n = (uint32_t)(drawn(c, k, "") % (few + 1));
        if (k % 2 && c->grid) l.grid = c->kernel->cluster ? case_cluster(c, c->grid) : 1;
        return l;
    }
    if (c->wrap == CASE_SHRINKS && k) l.n = few;
    l.moved = case_moves(c) && is_moved(c, k);
    if (l.moved && c->kernel->any_start) l.offset = (uint32_t)(drawn(c, 0, "offset") % (MAX_OFFSET + 1));
    while (k && is_like_before(c, k)) k--;
    if (!k) return l;
    const uint64_t random = drawn(c, k, "");
    if (k % 2) l.n = (uint32_t)(random % ((uint64_t)c->n + 1));
    if (c->kernel->finish == FINISH_LEVELS && l.n < 2)
        l.n = c->n; /* with fewer than two elements, there is no pair, and thus no level to launch */
    /* few mistakes need a later launch with more blocks, and such launches would take most of a grade's time */
    const bool may_grow = (random >> 30 & 3) == 0;
    if (c->grid > 1) l.grid = 1 + (uint32_t)((random >> 32) % (may_grow ? 2 * c->grid : c->grid));
    if (c->kernel->cluster) { /* a single cluster remains single, but its size may change */
        l.cluster = 1 + (uint32_t)((random >> 40) % c->kernel->cluster);
        l.grid = c->grid == case_cluster(c, c->grid) ? l.cluster : (l.grid + l.cluster - 1) / l.cluster * l.cluster;
    }
    const uint32_t block = random >> 28 & 1 ? c->block / 2 : random >> 29 & 1 ? 2 * c->block : c->block;
    if (!c->kernel->only_block && block >= 32 && block <= 1024) l.block = block;
    return l;
}

/* ---- one element ---------------------------------------------------------------------------- */
/* Changes element `at` or another one, so that the total changes and stays exact. Returns false if it finds no such
 * change. */
typedef bool change(struct variant v, void *array, uint32_t n, uint32_t at);

static bool is_zero(struct variant v, union value x) { return reference_equal(v, x, (union value){.bits = 0}); }
static union value negative(struct variant v, union value x) {
    switch (v.type) {
    case REDUCE_TYPE_F32: return (union value){.f32 = -x.f32};
    case REDUCE_TYPE_F64: return (union value){.f64 = -x.f64};
    case REDUCE_TYPE_I64: return (union value){.bits = -x.bits};
    default: return (union value){.u32 = -x.u32};
    }
}
/* Returns the index of an infinite element, because it hides changes of all others. If there is none, returns `at`. */
static uint32_t infinite(struct variant v, const void *array, uint32_t n, uint32_t at) {
    for (uint32_t k = 0; variant_is_float(v) && k < n; k++)
        if (isinf(reference_double(v, reference_load(v, array, k)))) return k;
    return at;
}
static bool change_term(struct variant v, void *array, uint32_t n, uint32_t at) {
    at = infinite(v, array, n, at);
    for (uint32_t k = 0; k < n; k++, at = (at + 1) % n) {
        const union value x = reference_load(v, array, at), y = negative(v, x);
        if (reference_equal(v, x, y)) continue;
        reference_store(v, array, at, y);
        return true;
    }
    return false;
}
static bool change_factor(struct variant v, void *array, uint32_t n, uint32_t at) {
    for (uint32_t k = 0; k < n; k++)
        if (is_zero(v, reference_load(v, array, k))) return false;
    return change_term(v, array, n, at);
}
/* Makes element `at` the best one. Returns false if the result would be the same, or would be another element. */
static bool change_choice(struct variant v, void *array, uint32_t n, uint32_t at) {
    const union value y = case_best(v, reference_load(v, array, at));
    for (uint32_t k = 0; k < n; k++) {
        const union value x = reference_load(v, array, k);
        if (reference_equal(v, x, y) || !reference_equal(v, reference_combine(v, x, y), y)) return false;
    }
    reference_store(v, array, at, y);
    return true;
}
/* Changes a map or a matrix. Every change affects the result, because all elements are invertible. */
static bool change_map(struct variant v, void *array, uint32_t n, uint32_t at) {
    const union value x = reference_load(v, array, at);
    for (uint32_t k = 0; k < n; k++) {
        const union value y = reference_load(v, array, k);
        if (reference_equal(v, x, y)) continue;
        reference_store(v, array, at, y);
        return true;
    }
    return false;
}
static change *const changes[REDUCE_OP_COUNT] = {
    [REDUCE_OP_SUM] = change_term,      [REDUCE_OP_PRODUCT] = change_factor, [REDUCE_OP_MIN] = change_choice,
    [REDUCE_OP_MAX] = change_choice,    [REDUCE_OP_AFFINE] = change_map,     [REDUCE_OP_MATRIX] = change_map,
    [REDUCE_OP_ARGMIN] = change_choice, [REDUCE_OP_ARGMAX] = change_choice};

/* ---- elements ------------------------------------------------------------------------------- */
unsigned case_sets(const struct grade_case *c, unsigned repeats) {
    enum { MAX = 1 << 20 }; /* elements of all sets together; two sets may have more */
    const uint32_t fit = MAX / (c->n + 1);
    const bool launched = c->kernel->finish != FINISH_ARRAYS && (c->kernel->finish != FINISH_LEVELS || c->n > 1);
    if (c->same_data || repeats == 1 || !launched || case_repeats(c)) return 1;
    return repeats <= 2 || repeats < fit ? repeats : fit > 2 ? fit : 2;
}
/* Returns how many of four sets differ from the set before in only one element. */
static unsigned small_changes(const struct grade_case *c, unsigned k) {
    if (c->data == DATA_TURNS) return k % 2 * 4;
    if (case_is_large(c)) return 4;
    return is_like_before(c, k) ? 3 : 1;
}
void case_renew(const struct grade_case *c, unsigned k, const void *before, void *now) {
    const uint32_t n = case_launch(c, k).n;
    const uint64_t random = drawn(c, k, "elements");
    change *const one = changes[c->variant.op];
    const uint32_t at = n ? (uint32_t)(random >> 8) % n : 0;
    memmove(now, before, c->n * variant_size(c->variant));
    if (!n || ((random % 4 < small_changes(c, k) || c->values) && one(c->variant, now, n, at)) || c->values) return;
    if (!case_redraw(c, k, now)) one(c->variant, now, n, at);
}
void case_set(const struct grade_case *c, unsigned k, void *array) {
    case_data(c, array);
    for (unsigned set = 1; set <= k % case_sets(c, case_launches(c)); set++) case_renew(c, set, array, array);
}
