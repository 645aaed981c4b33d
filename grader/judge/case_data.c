/* The data of cases: each element drawn from the case's seed, so that mistakes show. See judge.h. */
#include "base/random.h"
#include "judge/judge.h"
#include <math.h>

/* ---- elements ------------------------------------------------------------------------------- */
/* Pairs: few different values, so that there are ties; a NaN now and then; indices that differ from each other, and do
 * not rise with the place. */
static union value pair_element(struct variant v, uint64_t r, uint32_t k, bool nan) {
    const int small = (int)(r >> 8 & 0xff) % 41 - 20;
    const bool spike = r % 61 == 0;
    union value x = {.word = {0}};
    if (v.type == REDUCE_TYPE_I32) x.i32 = spike ? small * 1000003 : small;
    const double value = nan && spike ? (double)NAN : (double)small / 4;
    if (v.type == REDUCE_TYPE_F32) x.f32 = (float)value;
    if (v.type == REDUCE_TYPE_F64) x.f64 = value;
    x.word[variant_size(v) / 8] = (k * UINT32_C(0x1e3779b1) + 12345) & 0x7fffffff;
    return x;
}
/* Maps and matrices: any words, but an odd slope or determinant, so that no operand is lost in the product. */
static union value struct_element(struct variant v, uint64_t *state, uint32_t k, bool nan) {
    if (variant_commutes(v)) return pair_element(v, random_next(state), k, nan);
    const uint64_t p = random_next(state), q = random_next(state);
    union value x = {.word = {(uint32_t)p | 1, (uint32_t)(p >> 32), (uint32_t)q, (uint32_t)(q >> 32)}};
    if (v.op == REDUCE_OP_MATRIX) x.word[3] = (x.word[3] & ~1u) | (~(x.word[1] * x.word[2]) & 1);
    return x;
}
/* Sums of floats: whole numbers whose sum of magnitudes stays far below 2^24, so that every order gives the exact sum.
 * Products: mostly 1, with factors that keep the product a power of two within range (floats) or odd (integers, so that
 * none is lost). Minima and maxima, where `one_sided`: all elements on the far side of 0, so that a 0 combined in by
 * mistake shows, with infinities that do no harm; else of both signs, with rare spikes. No NaN, and no -0 beside +0. */
static int64_t whole(struct variant v, uint64_t r, bool one_sided) {
    const int64_t small = (int64_t)(r >> 8 & 0xff) - 128;
    if (v.op == REDUCE_OP_PRODUCT) return (int64_t)(r | 1);
    if (v.op == REDUCE_OP_SUM) return r % 61 ? small * 97 + 13 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    if (v.type == REDUCE_TYPE_U32)
        return r % 61 ? (int64_t)(r >> 8 & 0xffff) + 70000 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    if (!one_sided) return r % 61 ? small * 97 + 13 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    const int64_t far = r % 61 ? (small + 129) * 97 : (int64_t)(r >> 34) + 1;
    return v.op == REDUCE_OP_MIN ? far : -far;
}
static double real(struct variant v, uint64_t r, bool one_sided, uint64_t n, double *exponent) {
    const bool spike = r % 61 == 0;
    const double small = (double)((int64_t)(r >> 8 & 0xff) - 128),
                 large = (double)((int64_t)(r >> 16 & 0xfffff) - 0x80000);
    if (v.op == REDUCE_OP_SUM) return floor(spike && n <= 1 << 14 ? large / 128 : small / 4);
    if (v.op >= REDUCE_OP_MIN) {
        const double sign = v.op == REDUCE_OP_MIN ? 1 : -1;
        if (one_sided) return sign * (spike ? (double)INFINITY : (small + 129) / 16);
        return (spike ? large : small + sign * 200) / 16;
    }
    const int step = *exponent > 20 ? -1 : *exponent < -20 ? 1 : (int)(r >> 20 & 1) * 2 - 1;
    const double sign = r >> 30 & 1 ? -1 : 1;
    if (!spike && n >= 8) return sign;
    *exponent += step;
    return sign * (step > 0 ? 2 : 0.5);
}
static union value from_double(struct variant v, double value) {
    union value x = {.bits = 0};
    if (v.type == REDUCE_TYPE_F32)
        x.f32 = (float)value;
    else
        x.f64 = value;
    return x;
}
static union value exact_element(struct variant v, uint64_t r, bool one_sided, uint64_t n, double *exponent) {
    if (variant_is_float(v)) return from_double(v, real(v, r, one_sided, n, exponent));
    const uint64_t bits = (uint64_t)whole(v, r, one_sided);
    return (union value){.bits = variant_size(v) == 4 ? (uint32_t)bits : bits};
}
static union value small_element(struct variant v, uint64_t r) {
    const int small = v.op == REDUCE_OP_PRODUCT ? 1 + (r % 16 == 0) : (int)(r % 9) + 1;
    return variant_is_float(v) ? from_double(v, small) : (union value){.bits = (uint64_t)small};
}
/* Few values, so that there are ties; indices below 64 that differ for k below 64 and do not rise with the place. */
static union value small_pair(struct variant v, uint64_t r, uint32_t k) {
    const int value = (int)(r % 9) + 1;
    union value x = v.type == REDUCE_TYPE_I32 ? (union value){.word = {(uint32_t)value}} : from_double(v, value);
    x.word[variant_size(v) / 8] = (k * 29 + 7) % 64;
    return x;
}
static union value rounded_element(struct variant v, uint64_t r) {
    const double unit = (double)(r >> 11) * 0x1p-53;
    return from_double(v, (r % 61 == 0 ? 1e4 : 1) * (2 * unit - 0.75));
}
/* Of an operator that chooses one of two: the chosen one of all goes to the end, where loops that are too short miss
 * it. */
static void put_chosen_last(const struct grade_case *c, void *array) {
    union value chosen = reference_identity(c->variant);
    uint32_t at = c->n - 1;
    for (uint32_t k = 0; k < c->n; k++) {
        const union value x = reference_load(c->variant, array, k), better = reference_combine(c->variant, chosen, x);
        if (!reference_equal(c->variant, better, chosen)) chosen = x, at = k;
    }
    reference_store(c->variant, array, at, reference_load(c->variant, array, c->n - 1));
    reference_store(c->variant, array, c->n - 1, chosen);
}
/* ---- kinds of data -------------------------------------------------------------------------- */
/* What the elements of a case are drawn from. */
struct source {
    struct variant variant;
    uint64_t n, random;
    bool one_sided;
    double exponent; /* of the product of floats so far */
};
static union value draw_exact(struct source *s, uint32_t k) {
    (void)k;
    return exact_element(s->variant, random_next(&s->random), s->one_sided, s->n, &s->exponent);
}
static union value draw_rounded(struct source *s, uint32_t k) {
    (void)k;
    return rounded_element(s->variant, random_next(&s->random));
}
static union value draw_small(struct source *s, uint32_t k) {
    (void)k;
    return small_element(s->variant, random_next(&s->random));
}
static union value draw_struct(struct source *s, uint32_t k) {
    return struct_element(s->variant, &s->random, k, s->one_sided);
}
static union value draw_small_struct(struct source *s, uint32_t k) {
    return variant_commutes(s->variant) ? small_pair(s->variant, random_next(&s->random), k) : draw_struct(s, k);
}
const struct data_row data_kinds[DATA_KINDS] = {
#define DATA(id, word, bounded, scalar, structure) [DATA_##id] = {word, bounded, scalar, structure},
#include "judge/case_data.def"
#undef DATA
};
void case_data(const struct grade_case *c, void *array) {
    const struct variant v = c->variant;
    const struct data_row *row = &data_kinds[c->data];
    union value (*draw)(struct source *, uint32_t) = variant_is_struct(v) ? row->structure : row->scalar;
    struct source s = {
        .variant = v,
        .n = c->n,
        .random = c->seed ^ ((uint64_t)variant_index(v) << 56) ^ ((uint64_t)c->n << 20) ^ c->block,
    };
    s.one_sided = random_next(&s.random) & 1;
    for (uint32_t k = 0; k < c->n; k++) reference_store(v, array, k, draw(&s, k));
    if (case_is_large(c) && v.op >= REDUCE_OP_MIN && variant_commutes(v)) put_chosen_last(c, array);
}

/* ---- inputs of other kinds ------------------------------------------------------------------ */
/* One of -2, -1, 1, 2 that divides x without rest, and the quotient. Halves of floats are exact: drawn ones are never
 * so small that they lose a bit. */
static union value factor(struct variant v, union value x, uint64_t r, union value *quotient) {
    const int sign = r & 1 ? -1 : 1, twice = r >> 1 & 1 ? 2 : 1;
    if (variant_is_float(v)) {
        *quotient = from_double(v, reference_double(v, x) / (sign * twice));
        return from_double(v, sign * twice);
    }
    const bool small = variant_size(v) == 4;
    const int64_t whole = !small ? (int64_t)x.bits : v.type == REDUCE_TYPE_U32 ? (int64_t)x.word[0] : x.i32;
    const int64_t by = whole % 2 == 0 ? twice : 1;
    const uint64_t part = (uint64_t)(whole / by), mask = small ? UINT32_MAX : UINT64_MAX;
    *quotient = (union value){.bits = (sign < 0 ? -part : part) & mask};
    return (union value){.bits = (uint64_t)(sign * by) & mask};
}
void case_factors(const struct grade_case *c, const void *data, void *first, void *second) {
    uint64_t state = ~c->seed ^ ((uint64_t)c->n << 20) ^ c->block;
    for (uint32_t k = 0; k < c->n; k++) {
        union value quotient;
        const union value by = factor(c->variant, reference_load(c->variant, data, k), random_next(&state), &quotient);
        reference_store(c->variant, first, k, quotient);
        reference_store(c->variant, second, k, by);
    }
}

union value case_lead(const struct grade_case *c) {
    const struct variant v = c->variant;
    if (!variant_commutes(v)) return (union value){.word = {1, 1, 0, 1}};
    if (variant_is_struct(v))
        return v.type == REDUCE_TYPE_I32 ? (union value){.i32 = v.op == REDUCE_OP_ARGMIN ? INT32_MIN : INT32_MAX}
                                         : from_double(v, (double)NAN);
    if (v.op == REDUCE_OP_MIN) return reference_identity((struct variant){REDUCE_OP_MAX, v.type});
    if (v.op == REDUCE_OP_MAX) return reference_identity((struct variant){REDUCE_OP_MIN, v.type});
    const bool product = v.op == REDUCE_OP_PRODUCT;
    return variant_is_float(v) ? from_double(v, product ? -2 : 4096) : (union value){.bits = product ? 3 : 1000003};
}
