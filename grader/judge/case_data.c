/* Generates the elements of cases from the case's seed (judge.h). The elements are chosen so that they reveal
 * mistakes. */
#include "base/hash.h"
#include "base/narrow.h"
#include "base/random.h"
#include "judge/case_large.h"
#include <math.h>
#include <string.h>

enum { RARE = 61 /* one element in RARE differs greatly from the others */ };

/* ---- kinds of values ----------------------------------------------------------------------- */
/* About half of the cases have ordinary values; operators without other kinds always get them. Each of the other kinds
 * reveals mistakes that ordinary values hide. */
enum values {
    ORDINARY,
    FULL,    /* sums: integers that use every bit of the type, or floats whose magnitudes add up to at most 2^24 or 2^53
                units. A narrower type loses bits of both, and a float loses bits of the integers. */
    NARROW,  /* sums of integers: each element fits into a narrower type, but their sum does not */
    CLOSE,   /* min/max: values that differ only in their last bits */
    WORST,   /* min/max: all equal to identity() */
    EQUAL,   /* min/max: all equal */
    EXTREME, /* min/max: limits of the type, infinities, zeros of both signs. Pairs: also NaNs with any sign and payload
              */
    TINY,    /* floats: subnormal numbers, which instructions with .ftz flush to zero */
    SCALED,  /* float sums: integers times a power of two, which lose bits in fixed-point arithmetic */
    INFINITE, /* float sums and products: an element that seems to decide the result (an infinity in a sum, 0 in a
                 product) and, in most cases, one that makes the result NaN */
    TWO /* float sums and products: all but two elements equal identity(), so that every order rounds once and gives the
           same result */
};
static enum values draw_values(struct variant v, uint64_t r) {
    static const enum values choices[] = {CLOSE, WORST, EQUAL, EXTREME},
                             sums[] = {FULL, FULL, TWO, TINY, SCALED, TWO, INFINITE, INFINITE};
    if (!variant_commutes(v)) return ORDINARY;
    if (r & 1) return (r & 7) == 1 && variant_is_float(v) && v.op < REDUCE_OP_MIN ? TWO : ORDINARY;
    if (v.op == REDUCE_OP_PRODUCT)
        return !variant_is_float(v) ? ORDINARY : r >> 8 & 1 ? INFINITE : r >> 9 & 1 ? TWO : TINY;
    if (v.op == REDUCE_OP_SUM) return variant_is_float(v) ? sums[r >> 1 & 7] : r >> 1 & 1 ? NARROW : FULL;
    return variant_is_float(v) && (r >> 3 & 7) == 0 ? TINY : choices[r >> 1 & 3];
}
/* Returns the kind of values for launch `set` of a case with DATA_TURNS. Launch 0 has the most unusual kind; later
 * launches have the other kinds in turn. */
static enum values turn_of(struct variant v, uint64_t r, unsigned set) {
    static const enum values choices[] = {CLOSE, EQUAL, WORST, ORDINARY, TINY}, products[] = {TWO, TINY, ORDINARY},
                             sums[] = {FULL, TINY, SCALED, TWO, INFINITE, ORDINARY};
    const bool real = variant_is_float(v);
    const unsigned turn = (unsigned)(r >> 8 & 0xff) + set;
    if (!variant_commutes(v) || (v.op == REDUCE_OP_PRODUCT && !real)) return ORDINARY;
    if (v.op == REDUCE_OP_PRODUCT) return set ? products[turn % 3] : INFINITE;
    if (v.op == REDUCE_OP_SUM && real) return set ? sums[turn % 6] : INFINITE;
    if (v.op == REDUCE_OP_SUM) return turn % 2 ? NARROW : FULL;
    return set ? choices[turn % (real ? 5 : 4)] : EXTREME;
}
/* The state from which the elements of a case are drawn. */
struct source {
    struct variant variant;
    uint64_t n, random, base; /* random: state of the random stream; base: random bits common to all elements */
    uint64_t apart;           /* TWO, INFINITE: distance between the two elements */
    uint32_t swapped; /* pairs: if 0, indices are drawn; otherwise, an element's index is its position, but elements
                         `swapped` and `swapped` + 1 exchange theirs, and one of these two is the best */
    enum values values;
    bool one_sided, halves; /* halves: as in struct lab_kernel */
    uint32_t balanced;      /* if the elements of a period add up to 0, which keeps the sum exact: length of the period;
                               otherwise 0 */
    double so_far;          /* float products: exponent of the product so far; balanced sums: the sum so far */
};
static union value from_double(struct variant v, double value) {
    union value x = {.bits = 0};
    if (v.type == REDUCE_TYPE_F32)
        x.f32 = (float)value;
    else
        x.f64 = value;
    return x;
}
static bool is_narrow(struct variant v) { return v.type != REDUCE_TYPE_I64 && v.type != REDUCE_TYPE_F64; }
/* Returns a scalar, or the value of a pair, that has these bits. */
static union value from_bits(struct variant v, uint64_t bits) {
    return (union value){.bits = is_narrow(v) ? (uint32_t)bits : bits};
}
/* Returns a value close to the base: sign, magnitude and leading bits are those of the base, and the last bits are
 * random. A float has any normal magnitude. An integer is so large that a float or, for 64-bit integers, a double
 * loses its last bits. */
static union value close_value(const struct source *s, uint64_t r) {
    const struct variant v = s->variant;
    const uint64_t more = r % 1024, sign = s->base >> 63, few = s->base >> 8 & 0xffff,
                   magnitude = s->base >> 32 & 0xffff;
    const unsigned least = is_narrow(v) ? 24 : 53, bits = v.type == REDUCE_TYPE_U32 ? 32 : is_narrow(v) ? 31 : 63;
    const uint64_t whole = (UINT64_C(1) << (least + magnitude % (bits - least))) + few + more;
    switch (v.type) {
    case REDUCE_TYPE_F32: return from_bits(v, sign << 31 | (((1 + magnitude % 254) << 23) + (few << 4) + more));
    case REDUCE_TYPE_F64: return from_bits(v, sign << 63 | (((1 + magnitude % 2046) << 52) + (few << 36) + more));
    default: return from_bits(v, sign && v.type != REDUCE_TYPE_U32 ? -whole : whole);
    }
}
/* Returns a NaN. Half of them are signaling NaNs, whose payload is in the lower half of the bits. */
static union value nan_value(struct variant v, uint64_t r) {
    const uint64_t sign = r >> 63, payload = (r >> 4 & 0x3fffff) | 1;
    const bool signaling = r >> 40 & 1;
    if (v.type == REDUCE_TYPE_F32)
        return from_bits(v, sign << 31 | 0x7f800000 | (signaling ? payload & 0xffff : 0x400000 | payload));
    return from_bits(v, sign << 63 | UINT64_C(0x7ff0000000000000) |
                            (signaling ? payload : UINT64_C(0x8000000000000) | payload << 13));
}
/* Returns identity(), the worst possible value. */
static union value worst_value(struct variant v) {
    const union value x = reference_identity(v);
    return from_bits(v, x.bits);
}
static union value extreme_value(const struct source *s, uint64_t r) {
    const struct variant v = s->variant;
    const uint64_t top = UINT64_C(1) << (is_narrow(v) ? 31 : 63), ends[] = {0, 1, top, top - 1, top + 1, -UINT64_C(1)};
    if (!variant_is_float(v)) return from_bits(v, ends[r % 6]);
    if (variant_is_struct(v) && s->one_sided && r % 3 == 0) return nan_value(v, r);
    if (r % 4 == 0) return from_bits(v, worst_value(v).bits ^ (s->base >> 1 & r >> 42 & 1 ? top : 0));
    return from_bits(v, r >> 40 & 1 ? top : 0);
}
/* Returns a subnormal number: a small multiple of the type's smallest positive value. */
static union value units(struct variant v, uint64_t few, bool negative) {
    return from_bits(v, (negative ? UINT64_C(1) << (v.type == REDUCE_TYPE_F32 ? 31 : 63) : 0) | few);
}
/* Generates a scalar, or the value of a pair, for min and max. Returns false if the values are ordinary. */
static bool choice(const struct source *s, uint64_t r, union value *x) {
    switch (s->values) {
    case CLOSE: return *x = close_value(s, r), true;
    case WORST: return *x = worst_value(s->variant), true;
    case EQUAL: return *x = close_value(s, s->base), true;
    case EXTREME: return *x = extreme_value(s, r >> 5), true;
    case TINY: return *x = units(s->variant, r >> 8 & 0xfffff, r >> 40 & 1), true;
    default: return false;
    }
}

/* ---- elements ------------------------------------------------------------------------------- */
/* Sets the index of a pair. Indices are distinct. In a few cases, they ascend, except for two neighbors. In the
 * others, their order differs from that of the elements. In three quarters of these, indices are spread over the
 * whole range of their type. In one quarter, they are adjacent numbers at the upper end, which a narrower type
 * cannot distinguish. No index may equal that of identity(): among 32-bit indices spread over the whole range, this
 * would be element 2,610,436,006, and cases have fewer elements. */
static void set_index(struct source *s, uint32_t k, union value *x) {
    enum { ADJACENT = 1 << 12 };
    const unsigned at = is_narrow(s->variant) ? 1 : 2;
    if (s->swapped) {
        x->word[at] = k == s->swapped ? k + 1 : k == s->swapped + 1 ? k - 1 : k;
        return;
    }
    if ((s->base >> 20 & 3) == 0) { /* permutes each group of ADJACENT numbers: k times an odd number, plus 1 */
        const uint32_t low = (k & ~(uint32_t)(ADJACENT - 1)) | ((k * 2654435761u + 1) & (ADJACENT - 1));
        x->word[at] = UINT32_MAX - 2 - low;
        if (at == 2) x->word[3] = UINT32_MAX - 2;
        return;
    }
    x->word[at] = k * UINT32_C(0x9e3779b1) + 12345;
    if (at == 2) x->word[3] = (uint32_t)(random_next(&s->random) >> 32) & ~1u;
}
/* Generates a pair. There are few distinct ordinary values, so ties occur. If `one_sided`, a few floats are NaN. */
static union value draw_pair(struct source *s, uint32_t k) {
    const struct variant v = s->variant;
    const uint64_t r = random_next(&s->random);
    const int small = (int)(r >> 8 & 0xff) % 41 - 20;
    const bool spike = r % RARE == 0;
    union value x;
    if (!choice(s, r, &x)) {
        if (v.type == REDUCE_TYPE_I32)
            x = from_bits(v, (uint64_t)(spike ? small * 1000003 : small));
        else
            x = s->one_sided && spike ? nan_value(v, r) : from_double(v, (double)small / 4);
    }
    return set_index(s, k, &x), x;
}
#define INLINED static inline __attribute__((always_inline)) /* specializes loops for a constant variant */

/* Generates a map or matrix of random words. Its slope or determinant is odd, so that no operand of a product is
 * lost. */
INLINED union value random_words(struct source *s, struct variant v) {
    const uint64_t p = random_next(&s->random), q = random_next(&s->random);
    union value x = {.word = {(uint32_t)p | 1, (uint32_t)(p >> 32), (uint32_t)q, (uint32_t)(q >> 32)}};
    if (v.op == REDUCE_OP_MATRIX) x.word[3] = (x.word[3] & ~1u) | (~(x.word[1] * x.word[2]) & 1);
    return reference_pack(v, x);
}
static union value draw_struct(struct source *s, uint32_t k) {
    return variant_commutes(s->variant) ? draw_pair(s, k) : random_words(s, s->variant);
}
enum { FACTORS = 256 /* at most this many factors 2 and 1/2 are expected in a product of floats */ };
/* Generates ordinary values, which are never NaN.
 *
 * Float sums: integers. The magnitudes of 2^18 of them add up to far less than 2^24, so the sum is exact in every
 * order.
 *
 * Float products: mostly 1 and -1. Other factors are so few that the product of any subset, such as a block's
 * elements, stays in range.
 *
 * Integer products: odd numbers, so that every factor affects the result.
 *
 * Minima and maxima: if `one_sided`, all elements are on the same side of 0, so that a 0 combined by mistake becomes
 * the result. Some floats are infinities that cannot win. If not `one_sided`, a few elements are large, and elements
 * have both signs; among floats, only the large elements have both. */
INLINED int64_t whole(struct variant v, uint64_t r, bool one_sided) {
    const int64_t small = (int64_t)(r >> 8 & 0xff) - 128;
    if (v.op == REDUCE_OP_PRODUCT) return (int64_t)(r | 1);
    if (v.op == REDUCE_OP_SUM) return r % RARE ? small * 97 + 13 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    if (v.type == REDUCE_TYPE_U32)
        return r % RARE ? (int64_t)(r >> 8 & 0xffff) + 70000 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    if (!one_sided) return r % RARE ? small * 97 + 13 : (int64_t)(r * 0x9e3779b97f4a7c15u);
    const int64_t far = r % RARE ? (small + 129) * 97 : (int64_t)(r >> 34) + 1;
    return v.op == REDUCE_OP_MIN ? far : -far;
}
INLINED double real(struct variant v, uint64_t r, bool one_sided, uint64_t n, double *exponent) {
    const uint64_t rare = v.op == REDUCE_OP_PRODUCT && n > RARE * FACTORS ? n / FACTORS : RARE;
    const bool spike = r % rare == 0;
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
enum { HALF_MAX = 60000 /* less than the largest half (65504), even after rounding */ };
/* Returns the exponent of the unit of FULL floats. In half of the cases, the unit is 1, so the floats are integers.
 * In a quarter, the sum of the magnitudes is less than 1; in the rest, it can be of any size. A kernel that rounds only
 * small sums, or only large ones, loses bits in some of these cases. */
static int full_unit(const struct source *s) {
    const bool single = s->variant.type == REDUCE_TYPE_F32;
    const int digits = single ? 24 : 53, most = single ? 80 : 900, drawn = (int)(s->base >> 12 & 0xffff),
              any = s->halves ? -(drawn % digits) : drawn % (2 * most) - most;
    return s->base >> 8 & 1 ? 0 : s->base >> 9 & 1 ? -digits : any;
}
/* Generates integers that use all bits, or floats that are multiples of a unit. The floats' magnitudes add up to
 * about half of 2^24 or 2^53 units. Up to this sum, the type represents every multiple of the unit. */
static union value full_element(const struct source *s, uint64_t r) {
    const struct variant v = s->variant;
    if (!variant_is_float(v)) return from_bits(v, r);
    double most = ldexp(1, v.type == REDUCE_TYPE_F32 ? 24 : 53) / (double)(s->n + 1);
    if (s->halves && most > HALF_MAX) most = HALF_MAX;
    const bool negative = s->one_sided ? s->base & 1 : r & 1;
    return from_double(v, ldexp((negative ? -1 : 1) * floor(most * ((double)(r >> 11) * 0x1p-53)), full_unit(s)));
}
/* Generates integers of one sign. Their sum is about twice the largest value of a narrower type, so most partial
 * sums fit into that type. */
static union value narrow_element(const struct source *s, uint64_t r) {
    static const unsigned types[] = {15, 16, 24 /* float */, 31, 32, 53 /* double */};
    const unsigned bits = types[(is_narrow(s->variant) ? 0 : 2) + (s->base >> 8) % (is_narrow(s->variant) ? 3 : 4)];
    const uint64_t limit = UINT64_C(1) << bits, most = 4 * limit / s->n < limit ? 4 * limit / s->n : limit,
                   x = (r >> 8) % (most + 1);
    return from_bits(s->variant, s->base & 1 ? -x : x);
}
enum { FEW = 1 << 16 /* the sum of up to this many of the following values is exact */ };
/* Returns an 8-bit integer. If all have the same sign (`one_sided`), their sum grows with n. Multiplied by a power
 * of two, it can exceed 2^24 and is still exact. */
static double eight_bits(const struct source *s, uint64_t r) {
    return s->one_sided ? (double)(r >> 8 & 0xff) * (s->base >> 4 & 1 ? -1 : 1) : (double)(r >> 8 & 0xff) - 128;
}
/* Generates TINY or SCALED values in the range of a half, from 2^-24 to 2^16. */
static union value half_far_from_1(const struct source *s, uint64_t r) {
    const int low = -24, high = 8, scaled = low + (int)((s->base >> 8) % (uint64_t)(high - low + 1));
    if (s->values == TINY) { /* subnormal; the sum may need more bits than a half has, but not more than a float has */
        const uint64_t all = (1 << 24) / (s->n + 1), most = all < 1023 ? all : 1023,
                       sign = s->base >> 9 & 1 ? r : s->base;
        return from_double(s->variant, ldexp((double)((r >> 8) % (most + 1)), low) * (sign & 1 ? -1 : 1));
    }
    return from_double(s->variant, ldexp(eight_bits(s, r), s->one_sided ? high : scaled));
}
#define INFINITE_ALONE (UINT64_C(3) << 33) /* bits of `base`; all 0 if a sum has one infinity and no NaN */
/* Returns the index of the first of the two elements whose distance is s->apart. */
static uint64_t first_of_two(const struct source *s) { return s->base % (s->apart < s->n ? s->n - s->apart : s->n); }
/* Generates the elements of a sum with an infinity at any position, or of a product with a 0. A second element,
 * s->apart after the first, makes the result NaN. This element is NaN, or the opposite infinity in a sum, or an
 * infinity in a product. In some sums, the second element is ordinary, so that the result is infinite. */
static union value infinite_element(const struct source *s, uint64_t r, uint32_t k) {
    const bool product = s->variant.op == REDUCE_OP_PRODUCT;
    const uint64_t first = first_of_two(s), second = (first + s->apart) % s->n,
                   choice = (s->base & INFINITE_ALONE) >> 33;
    const double infinity = s->base >> 32 & 1 ? -(double)INFINITY : (double)INFINITY,
                 ordinary = product ? (r & 1 ? -1 : 1) : (double)(r >> 60);
    if (k == first && (!product || second != first)) return from_double(s->variant, product ? 0 : infinity);
    if (k != second || second == first || (choice == 0 && !product)) return from_double(s->variant, ordinary);
    return from_double(s->variant, choice == 1 ? (double)NAN : -infinity);
}
/* Generates values whose float sum is exact in any order: values with few bits and a magnitude far from 1, or
 * infinities. */
static union value far_element(const struct source *s, uint64_t r, uint32_t k) {
    const struct variant v = s->variant;
    const int most = v.type == REDUCE_TYPE_F32 ? 80 : 900, exponent = (int)(s->base >> 8) % most;
    if (s->halves) return half_far_from_1(s, r);
    if (s->values == TINY) return units(v, r >> 8 & 0x3f, r & 1);
    if (s->values == INFINITE) return infinite_element(s, r, k);
    return from_double(v, ldexp(eight_bits(s, r), s->base & 1 ? -exponent : exponent));
}
/* Generates factors of a product: the first is subnormal, and the others are 1 or -1, so that no product loses a
 * bit. */
static union value tiny_factor(const struct source *s, uint64_t r, uint32_t k) {
    return k ? from_double(s->variant, r & 1 ? -1 : 1) : units(s->variant, s->base >> 8 & 0xfffff, r & 1);
}
/* Generates two random floats of similar magnitude, s->apart positions from each other, and identity() elsewhere. Their
 * sum or product is rounded. A kernel that rounds in a different direction, or to fewer bits, gets a different result.
 */
static union value one_of_two(const struct source *s, uint64_t r, uint32_t k) {
    enum { NEAR = 24 /* the exponents differ by less than this, so that both floats affect the sum */ };
    /* fraction bits; so few that a long double holds the exact result, and only the conversion rounds */
    const int bits = s->variant.op == REDUCE_OP_PRODUCT ? 31 : 38;
    const uint64_t first = first_of_two(s);
    const struct variant v = s->variant;
    if (k != first && k != (first + s->apart) % s->n) return reference_identity(v);
    const double x = ldexp(1 + ldexp((double)(r >> (64 - bits)), -bits), (int)(r % NEAR) - NEAR / 2);
    return from_double(v, r >> 5 & 1 ? -x : x);
}
/* Generates integers of both signs. `left` elements, including this one, are left; the last BACK of them bring the sum
 * back to 0. */
static union value balanced_element(struct source *s, uint64_t r, uint32_t left) {
    enum { LARGEST = 255, MAX_AT_END = 2047, BACK = 4096, END = 4 };
    double x = (double)((int)((r >> 8) % (2 * LARGEST + 1)) - LARGEST);
    if (left <= BACK) x = copysign(x, -s->so_far);
    if (left <= END) x = fmax(fmin(-s->so_far, MAX_AT_END), -MAX_AT_END);
    s->so_far += x;
    return from_double(s->variant, x);
}
INLINED union value ordinary_element(struct source *s, struct variant v, uint64_t r) {
    return variant_is_float(v) ? from_double(v, real(v, r, s->one_sided, s->n, &s->so_far))
                               : from_bits(v, (uint64_t)whole(v, r, s->one_sided));
}
INLINED union value exact_element(struct source *s, struct variant v, uint32_t k) {
    const uint64_t r = random_next(&s->random);
    union value x;
    if (k < s->balanced) return balanced_element(s, r, s->balanced - k);
    if (s->values == FULL) return full_element(s, r);
    if (s->values == NARROW) return narrow_element(s, r);
    if (s->values == TWO) return one_of_two(s, r, k);
    if (v.op == REDUCE_OP_SUM && s->values != ORDINARY) return far_element(s, r, k);
    if (v.op == REDUCE_OP_PRODUCT && s->values == TINY) return tiny_factor(s, r, k);
    if (v.op == REDUCE_OP_PRODUCT && s->values == INFINITE) return infinite_element(s, r, k);
    if (s->values != ORDINARY && choice(s, r, &x)) return x;
    return ordinary_element(s, v, r);
}
static union value draw_exact(struct source *s, uint32_t k) { return exact_element(s, s->variant, k); }
/* Generates elements in a loop that is specialized for the variant, because some inputs have many millions of
 * elements. */
INLINED void draw_many(struct source *s, struct variant v, char *array, uint32_t count) {
    const size_t size = variant_size(v);
    const bool ordinary = s->values == ORDINARY && !s->balanced;
    for (uint32_t k = 0; ordinary && k < count; k++) {
        const union value x = ordinary_element(s, v, random_next(&s->random));
        reference_copy(array + k * size, &x, size);
    }
    for (uint32_t k = 0; !ordinary && k < count; k++) {
        const union value x = exact_element(s, v, k);
        reference_copy(array + k * size, &x, size);
    }
}
INLINED void draw_words(struct source *s, struct variant v, char *array, uint32_t count) {
    const size_t size = variant_size(v);
    for (uint32_t k = 0; k < count; k++) {
        const union value x = random_words(s, v);
        reference_copy(array + k * size, &x, size);
    }
}
static union value small_element(struct variant v, uint64_t r) {
    const int small = v.op == REDUCE_OP_PRODUCT ? 1 + (r % 16 == 0) : (int)(r % 9) + 1;
    return variant_is_float(v) ? from_double(v, small) : (union value){.bits = (uint64_t)small};
}
/* Generates a pair with one of 9 values, so that ties occur. Indices are below 64. For k below 64, they are
 * distinct, but not in the order of the elements. */
static union value small_pair(struct variant v, uint64_t r, uint32_t k) {
    const int value = (int)(r % 9) + 1;
    union value x = v.type == REDUCE_TYPE_I32 ? (union value){.word = {(uint32_t)value}} : from_double(v, value);
    x.word[variant_size(v) / 8] = (k * 29 + 7) % 64;
    return x;
}
/* Generates floats whose sum is rounded. ORDINARY: floats of both signs, a few of them large. Otherwise: floats of
 * one sign, with a fraction of less than half a unit in the last place of the total. A long chain of additions loses
 * this fraction at every step, so its error grows with n; the error of a tree hardly grows. */
static union value draw_rounded(struct source *s, uint32_t k) {
    (void)k;
    const uint64_t r = random_next(&s->random);
    const double unit = (double)(r >> 11) * 0x1p-53;
    if (s->values == ORDINARY) return from_double(s->variant, (r % RARE == 0 ? 1e4 : 1) * (2 * unit - 0.75));
    int exponent; /* scales the elements to magnitudes of about 1 */
    const double units = ldexp(0.9, s->variant.type == REDUCE_TYPE_F32 ? 24 : 53) / (double)(s->n + 1),
                 x = floor(units * (0.5 + unit)) + 0.46875;
    frexp(units, &exponent);
    return from_double(s->variant, ldexp(s->base & 1 ? -x : x, -exponent));
}
union value case_best(struct variant v, union value x) {
    static const enum reduce_op opposite[REDUCE_OP_COUNT] = {[REDUCE_OP_MIN] = REDUCE_OP_MAX,
                                                             [REDUCE_OP_MAX] = REDUCE_OP_MIN,
                                                             [REDUCE_OP_ARGMIN] = REDUCE_OP_ARGMAX,
                                                             [REDUCE_OP_ARGMAX] = REDUCE_OP_ARGMIN};
    const union value best = reference_identity((struct variant){opposite[v.op], v.type});
    memcpy(&x, &best, is_narrow(v) ? 4 : 8);
    return x;
}
/* For min and max, makes the last element the only one that wins. A loop that stops too early then returns another
 * value. */
static void put_winner_last(struct variant v, void *array, uint32_t count) {
    const union value best = reference_reduce(v, array, count), worst = worst_value(v);
    const size_t size = variant_size(v);
    const bool pairs = variant_is_struct(v), zero = !pairs && reference_equal(v, best, (union value){.bits = 0});
    for (uint32_t k = 0; k < count - 1; k++) {
        const void *x = (const char *)array + k * size;
        if (memcmp(x, &best, size) && !(zero && reference_equal(v, reference_load(v, x, 0), best))) continue;
        reference_store(v, array, k, pairs ? reference_load(v, array, count - 1) : worst);
        if (pairs) break;
    }
    reference_store(v, array, count - 1, !pairs && reference_equal(v, best, worst) ? case_best(v, best) : best);
}
/* Makes an element the best possible value. In periodic data, all other values occur many times. */
static void put_best(struct variant v, void *array, uint32_t at) {
    reference_store(v, array, at, case_best(v, reference_load(v, array, at)));
}
/* ---- kinds of data -------------------------------------------------------------------------- */
static union value draw_small(struct source *s, uint32_t k) {
    (void)k;
    return small_element(s->variant, random_next(&s->random));
}
static union value draw_small_struct(struct source *s, uint32_t k) {
    return variant_commutes(s->variant) ? small_pair(s->variant, random_next(&s->random), k) : draw_struct(s, k);
}
const struct data_row data_kinds[DATA_KINDS] = {
#define DATA(id, word, bounded, scalar, structure) [DATA_##id] = {word, bounded, scalar, structure},
#include "judge/case_data.def"
#undef DATA
};
/* Returns the state from which the elements of `set` are drawn. Except with DATA_TURNS, the kind of values depends
 * only on the case. */
static struct source source_of(const struct grade_case *c, unsigned set) {
    enum { FULL_F32 = 1 << 20, LONG = 160 };
    const struct variant v = c->variant;
    struct source s = {
        .variant = v,
        .n = c->n,
        .random = c->seed ^ ((uint64_t)variant_index(v) << 56) ^ ((uint64_t)c->n << 20) ^ c->block,
    };
    s.halves = c->kernel && c->kernel->halves;
    s.balanced = s.halves ? case_period(c) : 0;
    s.one_sided = random_next(&s.random) & 1;
    const uint64_t r = random_next(&s.random);
    s.values = c->data == DATA_TURNS ? turn_of(v, r, set) : draw_values(v, r);
    s.one_sided |= c->data == DATA_TURNS && s.values == EXTREME; /* pairs: with NaNs */
    if (s.halves && s.values >= INFINITE) s.values = FULL;
    if (s.halves && c->n >= LONG * (uint64_t)c->block * (c->grid ? c->grid : 1) && r >> 40 & 1)
        s.values = SCALED, s.one_sided = true; /* the sum of a lane may exceed 2^24 */
    if (s.values == TWO && (!c->kernel || c->kernel->second))
        /* with two inputs, each element is a product, so most results would hardly depend on one input */
        s.values = ORDINARY;
    if (s.balanced || c->data == DATA_PLAIN || c->data == DATA_ORDINARY) s.values = ORDINARY;
    if (case_repeats(c) && s.values >= TINY) s.values = v.op < REDUCE_OP_MIN ? ORDINARY : CLOSE;
    if (s.values == WORST || s.values == EXTREME)
        s.values = case_repeats(c) ? CLOSE : s.values; /* in periodic data, the best value must be unique */
    if (v.op == REDUCE_OP_SUM && v.type == REDUCE_TYPE_F32 && s.values == FULL && c->n > FULL_F32)
        s.values = ORDINARY; /* FULL values would be small multiples of their unit: the magnitudes add up to at most
                                2^24 units */
    if (v.op == REDUCE_OP_SUM &&
        s.values != FULL) { /* GPU atomics flush subnormals, and sums of many elements are inexact */
        if (s.values == TINY && c->kernel && c->kernel->finish == FINISH_ATOMIC) s.values = FULL;
        if (c->n > FEW) s.values = ORDINARY;
    }
    if (set) s.random = hash_bytes(s.random, &set, sizeof set);
    s.base = random_next(&s.random);
    if (c->data == DATA_TURNS && !set) s.base &= ~INFINITE_ALONE;
    /* The distance between the two elements. Usually, the same thread of a grid-stride loop combines both.
     * Otherwise, they are neighbors, or any distance apart. */
    const uint64_t round = (uint64_t)c->block * (c->grid ? c->grid : 1);
    s.apart = (s.base >> 32 & 3) == 0 ? 1 : round < c->n ? round : s.base >> 40;
    const bool ascends =
        variant_is_pair(v) && !case_is_large(c) && c->n > 4 && c->n % c->block != 1 && (s.base >> 22 & 3) == 0;
    if (ascends && (s.values == ORDINARY || s.values == CLOSE)) s.swapped = 1 + (uint32_t)((s.base >> 24) % (c->n - 3));
    return s;
}
#define AVOID_IDENTITY(T, field)                                                                                       \
    for (T *x = array, *end = x + count; x < end; x++) {                                                               \
        if (sum && count <= SHORT) *x = (T)fabs((double)*x);                                                           \
        if (*x == identity.field) *x = other.field;                                                                    \
    }
/* Replaces floats that equal identity(). In a short sum, also replaces negative floats, so that no partial sum is 0.
 * Ordinary values of other types never equal identity(). */
static void avoid_identity(struct variant v, void *array, uint32_t count) {
    enum { SHORT = 1 << 14 };
    if (!variant_is_float(v) || variant_is_struct(v)) return;
    const bool sum = v.op == REDUCE_OP_SUM;
    const union value identity = reference_identity(v), other = from_double(v, sum || v.op == REDUCE_OP_MIN ? 1 : -1);
    if (v.type == REDUCE_TYPE_F32)
        AVOID_IDENTITY(float, f32)
    else
        AVOID_IDENTITY(double, f64)
}
/* Returns whether the last element is the only one that wins. Otherwise, mistakes at the end of the input would seldom
 * change a minimum. It wins in large cases, and if n is one more than a multiple of M. Of other cases with exact data,
 * it wins in three quarters of those with ordinary values. With close or tiny values, it wins in one quarter. With
 * DATA_PLAIN, it never wins. */
static bool wins_last(const struct grade_case *c, const struct source *s) {
    enum { QUARTERS = 62 };
    const uint64_t quarter = s->base * UINT64_C(0x9e3779b97f4a7c15) >> QUARTERS;
    if (c->data == DATA_PLAIN) return false;
    if (case_is_large(c) || c->n % c->block == 1) return true;
    if (c->n < 2 || (c->data != DATA_EXACT && c->data != DATA_ORDINARY && c->data != DATA_TURNS)) return false;
    return s->values == ORDINARY ? quarter > 0 : (s->values == CLOSE || s->values == TINY) && quarter == 0;
}
static void draw_all(const struct grade_case *c, struct source s, void *array, uint32_t count) {
    const struct variant v = c->variant;
    const struct data_row *row = &data_kinds[c->data];
    union value (*draw)(struct source *, uint32_t) = variant_is_struct(v) ? row->structure : row->scalar;
    const size_t size = variant_size(v);
#define DRAW_MANY(constant) draw_many(&s, constant, array, count)
#define DRAW_WORDS(constant) draw_words(&s, constant, array, count)
    if (draw == draw_exact)
        REFERENCE_BY_VARIANT(v, DRAW_MANY)
    else if (draw == draw_struct && !variant_commutes(v))
        REFERENCE_BY_VARIANT(v, DRAW_WORDS)
    else
        for (uint32_t k = 0; k < count; k++) {
            const union value x = draw(&s, k);
            reference_copy((char *)array + k * size, &x, size);
        }
    if (c->data == DATA_PLAIN) avoid_identity(v, array, count);
    if (!variant_chooses(v)) return;
    if (case_repeats(c))
        put_best(v, array, count - 1);
    else if (wins_last(c, &s))
        put_winner_last(v, array, count);
    if (s.swapped && s.swapped + 1 < count) put_best(v, array, s.swapped + (s.base >> 60 & 1));
}
/* Rounds the elements to halves if the kernel's input consists of halves. */
static void round_to_halves(const struct grade_case *c, void *array, uint32_t count) {
    for (uint32_t k = 0; c->kernel && c->kernel->halves && k < count; k++) {
        const double x = reference_double(c->variant, reference_load(c->variant, array, k));
        reference_store(c->variant, array, k, from_double(c->variant, widened_f16(narrowed_f16(x))));
    }
}
void case_data(const struct grade_case *c, void *array) { case_draw(c, array, c->n); }
void case_draw(const struct grade_case *c, void *array, uint32_t count) {
    if (c->values)
        memcpy(array, c->values, c->n * variant_size(c->variant));
    else
        draw_all(c, source_of(c, 0), array, count);
    round_to_halves(c, array, count);
}
bool case_redraw(const struct grade_case *c, unsigned set, void *array) {
    const struct source s = source_of(c, set);
    draw_all(c, s, array, c->n);
    round_to_halves(c, array, c->n);
    return s.values != WORST;
}

/* ---- inputs of kernels with two inputs, and elements before an input ------------------------- */
/* Draws one of -2, -1, 1 and 2 that divides x exactly, and sets *quotient. */
static union value factor(struct variant v, union value x, uint64_t r, union value *quotient) {
    const int sign = r & 1 ? -1 : 1, twice = r >> 1 & 1 ? 2 : 1;
    if (variant_is_float(v)) {
        const int by =
            fabs(reference_double(v, x)) > 0x1p-100 ? sign * twice : sign; /* half of a tiny value would lose a bit */
        *quotient = from_double(v, reference_double(v, x) / by);
        return from_double(v, by);
    }
    const bool small = variant_size(v) == 4;
    const int64_t whole = !small ? (int64_t)x.bits : v.type == REDUCE_TYPE_U32 ? (int64_t)x.word[0] : x.i32;
    const int64_t by = whole % 2 == 0 ? twice : 1;
    const uint64_t part = (uint64_t)(whole / by), mask = small ? UINT32_MAX : UINT64_MAX;
    *quotient = (union value){.bits = (sign < 0 ? -part : part) & mask};
    return (union value){.bits = (uint64_t)(sign * by) & mask};
}
void case_factors(const struct grade_case *c, uint32_t count, const void *data, void *first, void *second) {
    uint64_t state = ~c->seed ^ ((uint64_t)c->n << 20) ^ c->block;
    for (uint32_t k = 0; k < count; k++) {
        union value quotient;
        const union value by = factor(c->variant, reference_load(c->variant, data, k), random_next(&state), &quotient);
        reference_store(c->variant, first, k, quotient);
        reference_store(c->variant, second, k, by);
    }
}

union value case_lead(const struct grade_case *c) {
    const struct variant v = c->variant;
    if (!variant_commutes(v)) return reference_pack(v, (union value){.word = {1, 1, 0, 1}});
    if (variant_is_struct(v))
        return v.type == REDUCE_TYPE_I32 ? (union value){.i32 = v.op == REDUCE_OP_ARGMIN ? INT32_MIN : INT32_MAX}
                                         : from_double(v, (double)NAN);
    if (v.op == REDUCE_OP_MIN) return reference_identity((struct variant){REDUCE_OP_MAX, v.type});
    if (v.op == REDUCE_OP_MAX) return reference_identity((struct variant){REDUCE_OP_MIN, v.type});
    const bool product = v.op == REDUCE_OP_PRODUCT;
    return variant_is_float(v) ? from_double(v, product ? -2 : (double)NAN)
                               : (union value){.bits = product ? 3 : 1000003};
}
