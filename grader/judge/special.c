/* See special.h. */
#include "judge/special.h"
#include "base/arena.h"
#include "base/narrow.h"
#include "base/random.h"
#include "judge/immediates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values --------------------------------------------------------------------------------- */
static bool is_single(struct variant v) { return v.type == REDUCE_TYPE_F32; }
static bool is_wide(struct variant v) { return v.type == REDUCE_TYPE_I64 || v.type == REDUCE_TYPE_F64; }
static bool is_real(struct variant v) { return is_single(v) || v.type == REDUCE_TYPE_F64; }
static union value of_bits(struct variant v, uint64_t bits) {
    return (union value){.bits = is_wide(v) ? bits : (uint32_t)bits};
}
static union value of_real(struct variant v, double x) {
    union value r = {.bits = 0};
    if (is_single(v))
        r.f32 = (float)x;
    else
        r.f64 = x;
    return r;
}
static double real_of(struct variant v, union value x) { return is_single(v) ? (double)x.f32 : x.f64; }
static bool is_number(struct variant v, union value x) { return isnormal(real_of(v, x)); }
static double next_to(struct variant v, double x, bool up) {
    const double to = up ? (double)INFINITY : -(double)INFINITY;
    return is_single(v) ? (double)nextafterf((float)x, (float)to) : nextafter(x, to);
}

/* ---- the pool of values ------------------------------------------------------------------------ */
enum { FOR_PAIRS = 32 /* values of packs of two values whose placement matters */ };
struct pool {
    struct specials *s;
    const struct lab_kernel *kernel;
    struct variant v;
    bool named, own, index;
};
static void put(struct pool *p, union value x) {
    struct specials *s = p->s;
    for (unsigned k = 0; k < s->packs; k++)
        if (s->pack[k].index == p->index && s->value[k].bits == x.bits) {
            s->pack[k].own |= p->own && s->pack[k].named;
            return;
        }
    if (s->count == SPECIAL_MAX - FOR_PAIRS) return;
    s->pack[s->packs++] = (struct special_pack){s->count, 1, p->named, p->own, p->index, SPECIAL_ANYWHERE};
    s->value[s->count++] = x;
}
static void put_real(struct pool *p, double x) {
    const union value r = of_real(p->v, x);
    const double back = real_of(p->v, r);
    const bool flushed = p->kernel->finish == FINISH_ATOMIC && back != 0 && fabs(back) < ldexp(1, -125);
    const bool fits = !p->kernel->halves || widened_f16(narrowed_f16(x)) == x;
    if (back == x && isfinite(x) && fits && !flushed) put(p, r); /* GPU atomics flush subnormals */
}
static void put_whole(struct pool *p, uint64_t x) {
    if (is_real(p->v) && !p->index)
        put_real(p, (double)(int64_t)x);
    else
        put(p, of_bits(p->v, x));
}
/* Adds the values that a constant in the kernel suggests. */
static void put_literal(struct pool *p, const struct literal *l) {
    const struct variant v = p->v;
    union value f = {.bits = l->bits};
    const double x = l->kind == LITERAL_F32 ? (double)f.f32 : l->kind == LITERAL_F64 ? f.f64 : 0;
    if (l->kind == LITERAL_WHOLE && l->compared) {
        for (int near = 0; near <= 2; near++) put_whole(p, l->bits + (uint64_t)(near == 2 ? -1 : near));
        put_whole(p, -l->bits);
    } else if (l->kind == LITERAL_WHOLE) { /* x + 70 < 10, for example, tests a range from -70 on */
        put_whole(p, l->added ? -l->bits : l->bits);
    } else if (!is_real(v)) {
        if (fabs(x) < 0x1p62 && x == floor(x)) put_whole(p, (uint64_t)(int64_t)x);
    } else {
        put_real(p, x), put_real(p, -x);
        put_real(p, next_to(v, x, true)), put_real(p, next_to(v, x, false));
        put_real(p, x + 1), put_real(p, x - 1);
    }
    if (l->kind != LITERAL_WHOLE || !is_real(v) || p->index) return;
    if (!l->compared) return; /* an integer may also be the bits of a float, or of the upper half of a double */
    put_real(p, real_of(v, of_bits(v, l->bits)));
    if (!is_single(v) && (uint32_t)l->bits >> 20) put_real(p, real_of(v, of_bits(v, l->bits << 32)));
}
static void put_ends(struct pool *p) {
    const struct variant v = p->v;
    const uint64_t top = UINT64_C(1) << (is_wide(v) ? 63 : 31);
    if (!is_real(v)) {
        const uint64_t ends[] = {0, 1, -UINT64_C(1), top, top + 1, top - 1};
        const uint64_t words[] = {UINT64_C(1) << 31, UINT64_C(1) << 32, -(UINT64_C(1) << 31) - 1, -(UINT64_C(1) << 32)};
        for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) put_whole(p, ends[k]);
        for (unsigned k = 0; is_wide(v) && k < sizeof words / sizeof *words; k++) put_whole(p, words[k]);
        return;
    }
    if (variant_chooses(v)) put(p, case_best(v, (union value){.bits = 0}));
    if (variant_is_pair(v)) { /* all elements are NaN, because worse(NaN) is NaN */
        put(p, of_real(v, (double)NAN));
        p->s->pack[p->s->packs - 1].way = SPECIAL_EVERYWHERE;
    }
    const double most = is_single(v) ? (double)3.40282347e38f : 1.7976931348623157e308,
                 least = is_single(v) ? 0x1p-149 : 0x1p-1074, ends[] = {0, -0.0, 1, -1, most, -most, least, -least};
    /* two pairs of adjacent doubles. The doubles of a pair have the same upper word; their lower words differ in the
     * top bit */
    const double halves[] = {1 + 0x1p-21, 1 + 0x1p-21 - 0x1p-52, -1 - 0x1p-21, -1 - 0x1p-21 + 0x1p-52};
    for (unsigned k = 0; k < sizeof ends / sizeof *ends; k++) put_real(p, ends[k]);
    for (unsigned k = 0; variant_chooses(v) && !is_single(v) && k < sizeof halves / sizeof *halves; k++)
        put_real(p, halves[k]);
}

/* ---- packs ---------------------------------------------------------------------------------- */
/* If the operator uses all operands, the ordinary elements have this many different values. */
enum { BESIDE = 3 };
/* Returns the integer m for which x = m * 2^*unit, with the largest possible unit. */
static uint64_t units_of(double x, int *unit) {
    int e;
    const uint64_t m = (uint64_t)ldexp(fabs(frexp(x, &e)), 53);
    const int zeros = m ? __builtin_ctzll(m) : 0;
    *unit = e - 53 + zeros;
    return m >> zeros;
}
/* Returns whether values for float sums can share a pack. Their sum with the pack's ordinary elements, which are small,
 * must be exact in any order. */
static bool adds_exactly(struct variant v, const union value *x, unsigned count) {
    int least = 0, unit;
    double sum = 0;
    for (unsigned k = 0; k < count; k++)
        if (units_of(real_of(v, x[k]), &unit) && unit < least) least = unit; /* the smallest unit, at most 2^0 */
    for (unsigned k = 0; k < count; k++) sum += fabs(ldexp(real_of(v, x[k]), -least));
    return sum + ldexp(SPECIAL_MAX_N, -least) < ldexp(1, is_single(v) ? 24 : 53);
}
/* Returns whether values for integer products can share a pack. The power of two in their product must be small: it
 * would shift out bits of the other factors. */
static bool multiplies(struct variant v, const union value *x, unsigned count) {
    unsigned twos = 0;
    for (unsigned k = 0; k < count; k++) twos += x[k].bits ? (unsigned)__builtin_ctzll(x[k].bits) : 64;
    return twos <= (is_wide(v) ? 40 : 16);
}
static bool together(struct variant v, const union value *x, unsigned count) {
    if (count > SPECIAL_LARGEST || variant_chooses(v)) return false;
    if (v.op == REDUCE_OP_SUM) return !is_real(v) || adds_exactly(v, x, count);
    if (v.op == REDUCE_OP_PRODUCT) return !is_real(v) && multiplies(v, x, count);
    return true;
}
/* Merges neighboring packs whose values can share a pack. */
static void join(struct specials *s, struct variant v) {
    unsigned kept = 0;
    for (unsigned k = 0; k < s->packs; k++) {
        struct special_pack *last = kept ? &s->pack[kept - 1] : NULL;
        const struct special_pack one = s->pack[k];
        if (last && last->named == one.named && together(v, &s->value[last->first], last->count + 1))
            last->count++, last->own |= one.own;
        else
            s->pack[kept++] = one;
    }
    s->packs = kept;
}
/* Moves named values that can share a pack before those that cannot, so that join() finds them next to each other. Each
 * pack has a single value so far. Does nothing for min and max. */
static void sort(struct specials *s, struct variant v) {
    unsigned at = 0;
    while (at < s->packs && !s->pack[at].named) at++;
    for (unsigned k = at; !variant_chooses(v) && k < s->packs; k++) {
        const union value x = s->value[k];
        const struct special_pack p = s->pack[k];
        if (!together(v, &x, 1)) continue;
        memmove(&s->value[at + 1], &s->value[at], (k - at) * sizeof x), s->value[at] = x;
        memmove(&s->pack[at + 1], &s->pack[at], (k - at) * sizeof p), s->pack[at++] = p;
    }
    for (unsigned k = 0; k < s->packs; k++) s->pack[k].first = k;
}

/* ---- packs of two values whose placement matters ---------------------------------------------- */
static void put_pair(struct pool *p, enum special_way way, union value first, union value second) {
    struct specials *s = p->s;
    if (s->count + 2 > SPECIAL_MAX) return;
    s->pack[s->packs++] = (struct special_pack){.first = s->count, .count = 2, .index = p->index, .way = way};
    s->value[s->count++] = first, s->value[s->count++] = second;
}
/* Adds two values that differ only in this bit. A comparison by halves of a word, or in a narrower type, may order them
 * wrongly. */
static void put_near(struct pool *p, unsigned bit, uint64_t *random) {
    const struct variant v = p->v;
    union value x, y;
    do {
        x = of_bits(v, random_next(random)), y = of_bits(v, x.bits ^ UINT64_C(1) << bit);
    } while (is_real(v) && (!is_number(v, x) || !is_number(v, y)));
    const bool wins = reference_equal(v, reference_combine(v, x, y), x);
    put_pair(p, SPECIAL_NEAR, wins ? x : y, wins ? y : x);
}
/* Adds the winner's index, and the losers' index without its low bits. `bit`, which is at least 13, is the highest bit
 * in which they differ. */
static void put_near_index(struct pool *p, unsigned bit, uint64_t *random) {
    const uint64_t at = UINT64_C(1) << bit, x = random_next(random) & ~at;
    p->index = true;
    put_pair(p, SPECIAL_NEAR, of_bits(p->v, x),
             of_bits(p->v, (x & -at) | at | (random_next(random) & (at - SPECIAL_MAX_N))));
    p->index = false;
}
static void put_all_near(struct pool *p, uint64_t random) {
    enum { DRAWN = 3, LEAST_OF_INDEX = 13 };
    static const unsigned halves[] = {15, 31, 47};
    const unsigned bits = is_wide(p->v) ? 64 : 32;
    for (unsigned k = 0; k < sizeof halves / sizeof *halves; k++) {
        if (halves[k] < bits) put_near(p, halves[k], &random);
        if (halves[k] < bits && variant_is_pair(p->v)) put_near_index(p, halves[k], &random);
    }
    for (unsigned k = 0; k < DRAWN; k++) put_near(p, (unsigned)(random_next(&random) >> 8) % bits, &random);
    if (variant_is_pair(p->v))
        put_near_index(p, LEAST_OF_INDEX + (unsigned)(random_next(&random) >> 8) % (bits - LEAST_OF_INDEX), &random);
}
/* Adds a value after which a loop seems to need no more elements, and one that still changes the result: 0 * inf and
 * inf - inf are NaN, NaN wins against any number, and of equal values, the lower index wins. A constant map, x -> b, is
 * followed by another. */
static void put_decided(struct pool *p, uint64_t random) {
    const struct variant v = p->v;
    const double infinity = (double)INFINITY;
    const double sums[][2] = {{infinity, -infinity}, {-infinity, infinity}, {infinity, (double)NAN}},
                 products[][2] = {{0, infinity}, {0, (double)NAN}, {infinity, 0}};
    const double(*all)[2] = v.op == REDUCE_OP_SUM ? sums : products;
    for (enum special_way way = SPECIAL_APART; way <= SPECIAL_ADJACENT; way++) {
        for (unsigned k = 0; k < 3 && is_real(v) && v.op <= REDUCE_OP_PRODUCT; k++)
            put_pair(p, way, of_real(v, all[k][0]), of_real(v, all[k][1]));
        if (variant_is_pair(v)) {
            const union value best = case_best(v, (union value){.bits = 0}), nan = of_real(v, (double)NAN);
            put_pair(p, way, best, best);
            if (is_real(v)) put_pair(p, way, best, nan), put_pair(p, way, nan, nan);
        }
        if (v.op == REDUCE_OP_AFFINE)
            put_pair(p, way, reference_pack(v, (union value){.word = {0, (uint32_t)random}}),
                     reference_pack(v, (union value){.word = {0, random >> 32}}));
    }
}

static bool holds(const struct literals *all, const struct literal *l) {
    for (unsigned k = 0; k < all->count; k++)
        if (all->at[k].bits == l->bits && all->at[k].kind == l->kind) return true;
    return false;
}
void specials_of(const struct judge *j, const struct lab_kernel *kernel, struct variant v, struct specials *out) {
    struct pool p = {.s = out, .kernel = kernel, .v = v};
    const struct variant other = judge_variant(j, (unsigned)__builtin_ctz(j->lab->variants));
    const struct named *own = program_named(j, kernel->name, v), *first = program_named(j, kernel->name, other);
    out->count = out->packs = 0;
    if (!own || j->own || kernel->finish == FINISH_ARRAYS) return;
    put_ends(&p);
    p.named = true;
    for (unsigned k = 0; k < own->literals.count; k++) {
        const struct literal *l = &own->literals.at[k];
        p.own = !first || !holds(&first->literals, l);
        if (!variant_chooses(v) || l->compared || l->added) put_literal(&p, l);
        p.index = variant_is_pair(v);
        if (p.index && l->kind == LITERAL_WHOLE && l->compared) put_whole(&p, l->bits);
        p.index = false;
    }
    sort(out, v), join(out, v);
    if (kernel->halves) return;
    const uint64_t random = j->options->seed ^ ((uint64_t)variant_index(v) << 56);
    if (variant_chooses(v)) put_all_near(&p, random);
    put_decided(&p, random);
}

/* ---- elements ------------------------------------------------------------------------------- */
struct filling {
    const struct specials *s;
    const struct special_pack *pack;
    struct variant v;
    uint64_t random;
    union value beside[BESIDE];
};
/* Returns a float that is worse than x by a few units in the last place. */
static union value slightly_worse(struct variant v, double x, bool up, uint64_t units) {
    while (units--) x = next_to(v, x, up);
    return of_real(v, x);
}
/* Returns a value that is worse than x by a random amount, or the limit of the type. Half of the amounts are so small
 * that large values become equal in a narrower type. */
static union value worse(struct variant v, union value x, uint64_t r) {
    enum { NEAR = 7, FAR = 1000 };
    const bool up = v.op == REDUCE_OP_MIN || v.op == REDUCE_OP_ARGMIN, near = r >> 20 & 1;
    const uint64_t by = 1 + r % (near ? NEAR : FAR), top = UINT64_C(1) << (is_wide(v) ? 63 : 31);
    if (is_real(v) && near && isnormal(real_of(v, x)) && fabs(real_of(v, x)) > 0x1p-100)
        return slightly_worse(v, real_of(v, x), up, by);
    if (is_real(v)) {
        const double own = real_of(v, x), a = isinf(own) ? copysign(0x1p100, own) : own,
                     far = fabs(a) * 0x1p-10 * (double)by + (double)by / 8;
        return of_real(v, up ? a + far : a - far);
    }
    const uint64_t flip = v.type == REDUCE_TYPE_U32 ? 0 : top, most = is_wide(v) ? UINT64_MAX : UINT32_MAX,
                   place = x.bits ^ flip; /* maps values to unsigned numbers in the same order */
    const uint64_t room = up ? most - place : place, step = by < room ? by : room;
    return of_bits(v, (up ? place + step : place - step) ^ flip);
}
/* Returns a scalar x, or a pair with the value x and this index. */
static union value with_index(struct variant v, union value x, uint64_t index) {
    if (variant_is_pair(v)) memcpy(&x.word[variant_size(v) / 8], &index, is_wide(v) ? 8 : 4);
    return x;
}
/* Draws an ordinary element for a pack of special values. For operators that use all operands, it is one of three
 * values, so that equal elements occur. */
static union value beside(struct filling *f, uint32_t k) {
    const struct variant v = f->v;
    const uint64_t r = random_next(&f->random);
    if (!variant_chooses(v)) return f->beside[r >> 8 & 1 ? 0 : r % BESIDE];
    const bool near = f->pack->way == SPECIAL_NEAR, best = f->pack->way >= SPECIAL_APART;
    union value x = f->s->value[f->pack->first + near];
    if (near && f->pack->index) return with_index(v, of_bits(v, 0), x.bits | k);
    if (near) return with_index(v, x, k * UINT32_C(0x9e3779b1) + 12345);
    if (f->pack->index) x = of_bits(v, 0);
    if (best) x = case_best(v, x); /* the pack may have a NaN; no value is a little worse than NaN */
    return with_index(v, worse(v, x, r),
                      f->pack->way == SPECIAL_EVERYWHERE ? UINT32_MAX / 2 - k : k * UINT32_C(0x9e3779b1) + 12345);
}
static void draw_beside(struct filling *f) {
    const struct variant v = f->v;
    const union value *x = &f->s->value[f->pack->first];
    const bool roomy = f->pack->way >= SPECIAL_APART || together(v, x, f->pack->count);
    for (unsigned k = 0; k < BESIDE; k++) {
        const uint64_t r = random_next(&f->random);
        union value *to = &f->beside[k];
        if (variant_is_struct(v)) {
            const uint32_t a = (uint32_t)r | 1, b = (uint32_t)(r >> 32), c = (uint32_t)(r >> 16);
            *to = reference_pack(v, v.op == REDUCE_OP_AFFINE ? (union value){.word = {a, b}}
                                                             : (union value){.word = {a, b, c, ~(b * c) & 1}});
        } else if (v.op == REDUCE_OP_PRODUCT)
            *to = is_real(v) ? of_real(v, r & 1 ? -1 : 1) : of_bits(v, r | 1);
        else
            *to = !is_real(v) ? of_bits(v, r) : of_real(v, roomy ? (double)(int)k - 1 : 0);
    }
}
/* Puts the special value x into an element with the random value `drawn`. A pair gets x as its value or its index.
 * Any other struct gets x in one field, or in a different one if `again`. */
static union value special(const struct filling *f, union value x, union value drawn, uint64_t r, bool again) {
    const struct variant v = f->v;
    union value y = drawn;
    if (variant_is_pair(v)) {
        const unsigned at = (unsigned)variant_size(v) / 8;
        if (f->pack->index)
            memcpy(&y.word[at], &x.bits, is_wide(v) ? 8 : 4), memset(y.word, 0, is_wide(v) ? 8 : 4);
        else
            memcpy(y.word, &x.bits, is_wide(v) ? 8 : 4);
        return y;
    }
    if (!variant_is_struct(v)) return x;
    const uint32_t field = (uint32_t)x.bits, odd = (uint32_t)(r >> 32) | 1;
    if (v.op == REDUCE_OP_AFFINE)
        return reference_pack(
            v, (union value){.word = {again && field & 1 ? field : odd, again && field & 1 ? odd : field}});
    const uint32_t b = again ? field : odd, c = again ? odd : field;
    return reference_pack(v, (union value){.word = {field & 1 ? field : odd, b, c, ~(b * c) & 1}});
}
static void fill_anywhere(struct filling *f, const struct grade_case *c, char *array, bool *taken) {
    const unsigned fields = variant_is_struct(f->v) && !variant_is_pair(f->v) ? 2 : 1,
                   count = f->pack->way == SPECIAL_NEAR ? 1 : f->pack->count;
    for (unsigned k = 0; k < fields * count; k++) {
        const uint64_t r = random_next(&f->random);
        uint32_t at = (uint32_t)((r >> 8) % c->n);
        while (taken[at]) at = (at + 1) % c->n;
        taken[at] = true;
        const union value old = reference_load(c->variant, array, at),
                          x = special(f, f->s->value[f->pack->first + k / fields], old, r, k % fields);
        reference_store(c->variant, array, at, x);
    }
}
/* Places two values, the first of them in the threads' first round. The indices of pairs descend. */
static void fill_apart(struct filling *f, const struct grade_case *c, char *array) {
    const union value *x = &f->s->value[f->pack->first];
    const uint32_t threads = c->kernel->grid_stride ? c->block * c->grid : c->block, half = c->n / 2,
                   round = f->pack->way == SPECIAL_ADJACENT ? 1
                           : threads < half                 ? threads
                                                            : half,
                   at = (uint32_t)((random_next(&f->random) >> 8) % (threads < half ? threads : half)),
                   more = f->pack->way == SPECIAL_ADJACENT ? 1 : (c->n - 1 - at) / round * round;
    reference_store(c->variant, array, at, with_index(f->v, x[0], UINT32_MAX / 2 + 12345));
    reference_store(c->variant, array, at + more, with_index(f->v, x[1], 1));
}
bool special_fill(const struct judge *j, const struct specials *s, struct grade_case *c) {
    struct filling f = {.s = s, .v = c->variant};
    const size_t size = variant_size(c->variant);
    if (!j->drawn || !c->special || c->special > s->packs) return false;
    f.pack = &s->pack[c->special - 1];
    f.random = c->seed ^ ((uint64_t)variant_index(c->variant) << 56) ^ ((uint64_t)c->n << 24) ^ c->special;
    char *array = c->n < 2 * f.pack->count ? NULL : arena_take(j->drawn, (c->n + 1) * size + c->n);
    bool *taken = array ? (bool *)(array + (c->n + 1) * size) : NULL;
    if (!array) return false;
    draw_beside(&f);
    for (uint32_t k = 0; k < c->n; k++) reference_store(c->variant, array, k, beside(&f, k));
    if (f.pack->way >= SPECIAL_APART)
        fill_apart(&f, c, array);
    else
        fill_anywhere(&f, c, array, taken);
    c->values = array;
    return true;
}
bool special_complete(const struct judge *j, struct grade_case *c) {
    struct specials *s = c->special && !c->values ? malloc(sizeof *s) : NULL;
    bool ok = !c->special || c->values;
    c->named = program_integers(j, c->kernel, c->variant);
    if (!s) return ok;
    specials_of(j, c->kernel, c->variant, s);
    ok = special_fill(j, s, c);
    free(s);
    return ok;
}
