/* Exact floating-point arithmetic with integers: computes an operation's expected result, bit by bit, in every
 * rounding mode. A finite value is digits * 2^exponent; `more` is set if there is a remainder below the lowest
 * digit. Operations are exact or keep at least 60 digits, and to_bits() rounds once. The rules are those of IEEE
 * 754-2019, 3.4, 4.3 and 6.3, as adopted by PTX ISA 9.0 ("Floating Point Instructions"). The code shares nothing
 * with the simulator. */
#ifndef TESTS_OPS_EXACT_H
#define TESTS_OPS_EXACT_H

#include "ptx/ptx.h"

typedef unsigned __int128 uint128;
typedef __int128 int128;

enum kind { FINITE, INFINITE, NO_NUMBER };
struct exact {
    enum kind kind;
    bool negative;
    int exponent;
    uint128 digits;
    bool more;
};
static inline bool is_float_type(enum ptx_type t) {
    return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64;
}
static inline bool is_pair_type(enum ptx_type t) { return t == PTX_F16X2 || t == PTX_BF16X2; }
/* Returns the type of one number of a pair. A type that is no pair is returned unchanged. */
static inline enum ptx_type single_type(enum ptx_type t) {
    return t == PTX_F16X2 ? PTX_F16 : t == PTX_BF16X2 ? PTX_BF16 : t;
}
static inline bool is_half_type(enum ptx_type t) { return single_type(t) == PTX_F16 || single_type(t) == PTX_BF16; }
static inline bool is_signed_type(enum ptx_type t) {
    return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}
static inline unsigned fraction_bits(enum ptx_type t) {
    return t == PTX_F16 ? 10 : t == PTX_BF16 ? 7 : t == PTX_F32 ? 23 : 52;
}
static inline uint64_t low_bits(unsigned n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }
static inline uint64_t sign_bit(enum ptx_type t) { return UINT64_C(1) << (ptx_type_bits(t) - 1); }
static inline uint64_t infinity_bits(enum ptx_type t) {
    return low_bits(ptx_type_bits(t) - 1) & ~low_bits(fraction_bits(t));
}
static inline uint64_t one_bits(enum ptx_type t) { return infinity_bits(t) >> 1 & ~low_bits(fraction_bits(t)); }
static inline uint64_t nan_bits(enum ptx_type t) { return low_bits(ptx_type_bits(t) - 1); }
static inline bool is_nan_bits(uint64_t v, enum ptx_type t) { return (v & ~sign_bit(t)) > infinity_bits(t); }
static inline bool is_subnormal_bits(uint64_t v, enum ptx_type t) {
    return (v & ~sign_bit(t)) != 0 && (v & ~sign_bit(t)) <= low_bits(fraction_bits(t));
}
static inline uint64_t flushed(uint64_t v, enum ptx_type t) { return is_subnormal_bits(v, t) ? v & sign_bit(t) : v; }
static inline int lowest_exponent(enum ptx_type t) { /* exponent of the smallest normal number */
    return 2 - (1 << (ptx_type_bits(t) - fraction_bits(t) - 2));
}

/* ---- conversions ------------------------------------------------------------------------------- */
static inline struct exact exact_of(uint64_t v, enum ptx_type t) {
    const uint64_t magnitude = v & ~sign_bit(t), fraction = magnitude & low_bits(fraction_bits(t));
    const int field = (int)(magnitude >> fraction_bits(t));
    struct exact x = {.negative = v & sign_bit(t)};
    if (magnitude >= infinity_bits(t)) {
        x.kind = magnitude > infinity_bits(t) ? NO_NUMBER : INFINITE;
        return x;
    }
    x.digits = field ? fraction | UINT64_C(1) << fraction_bits(t) : fraction;
    x.exponent = lowest_exponent(t) + (field ? field - 1 : 0) - (int)fraction_bits(t);
    return x;
}
static inline struct exact exact_of_integer(int128 v) {
    return (struct exact){.negative = v < 0, .digits = v < 0 ? 0 - (uint128)v : (uint128)v};
}
static inline int top_digit(uint128 v) {
    int n = -1;
    for (; v; v >>= 1) n++;
    return n;
}
/* Returns digits / 2^shift, rounded to an integer in this mode. */
static inline uint128 rounded(const struct exact *x, int shift, enum ptx_mod mode) {
    if (shift <= 0) return x->digits << -shift;
    const uint128 whole = shift > 127 ? 0 : x->digits >> shift;
    const uint128 rest = shift > 127 ? x->digits : x->digits & (((uint128)1 << shift) - 1);
    const uint128 half = shift > 127 ? ~(uint128)0 : (uint128)1 << (shift - 1);
    const bool inexact = rest || x->more;
    bool up;
    switch (mode) {
    case PTX_MOD_RZ:
    case PTX_MOD_RZI: up = false; break;
    case PTX_MOD_RM:
    case PTX_MOD_RMI: up = inexact && x->negative; break;
    case PTX_MOD_RP:
    case PTX_MOD_RPI: up = inexact && !x->negative; break;
    default: up = rest > half || (rest == half && (x->more || (whole & 1))); break;
    }
    return whole + up;
}
static inline uint64_t to_bits(struct exact x, enum ptx_type t, enum ptx_mod mode) {
    const uint64_t sign = x.negative ? sign_bit(t) : 0;
    const int fraction = (int)fraction_bits(t), lowest = lowest_exponent(t);
    if (x.kind == NO_NUMBER) return nan_bits(t);
    if (x.kind == INFINITE) return sign | infinity_bits(t);
    if (!x.digits) return sign;
    const int exponent = top_digit(x.digits) + x.exponent, unit = (exponent < lowest ? lowest : exponent) - fraction;
    const bool toward_zero = mode == PTX_MOD_RZ || mode == (x.negative ? PTX_MOD_RP : PTX_MOD_RM);
    uint64_t magnitude = infinity_bits(t);
    if (exponent <= 1 - lowest) { /* if rounding carries, the addition increments the exponent field */
        magnitude = (uint64_t)rounded(&x, unit - x.exponent, mode);
        if (exponent >= lowest)
            magnitude += ((uint64_t)(exponent - lowest + 1) << fraction) - (UINT64_C(1) << fraction);
    }
    return sign | (magnitude >= infinity_bits(t) ? infinity_bits(t) - toward_zero : magnitude);
}
/* Converts to an integer, clamped to the range of t. NaN gives 0; if either type has 64 bits, it gives only the top
 * bit (PTX ISA, cvt). */
static inline uint64_t to_integer(struct exact x, enum ptx_type from, enum ptx_type t, enum ptx_mod mode) {
    const unsigned bits = ptx_type_bits(t);
    const uint128 most = is_signed_type(t) ? low_bits(bits - 1) : low_bits(bits);
    const uint128 least = is_signed_type(t) ? most + 1 : 0; /* magnitude of the lowest integer */
    if (x.kind == NO_NUMBER) return from == PTX_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    uint128 n = ~(uint128)0;
    if (x.kind == FINITE && (!x.digits || top_digit(x.digits) + x.exponent < 70)) n = rounded(&x, -x.exponent, mode);
    if (x.negative) return (0 - (uint64_t)(n > least ? least : n)) & low_bits(bits);
    return (uint64_t)(n > most ? most : n);
}
static inline struct exact to_integral(struct exact x, enum ptx_mod mode) {
    if (x.kind == FINITE && x.exponent < 0) x.digits = rounded(&x, -x.exponent, mode), x.exponent = 0, x.more = false;
    return x;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */
static inline struct exact no_number(void) { return (struct exact){.kind = NO_NUMBER}; }
/* Shifts the digits so that the highest nonzero one is at position `top`. */
static inline void normalize(struct exact *x, int top) {
    const int shift = top - top_digit(x->digits);
    x->digits = shift >= 0 ? x->digits << shift : x->digits >> -shift;
    x->exponent -= shift;
}
/* Returns the sum. If the terms are opposite numbers, `mode` determines the sign of the zero. */
static inline struct exact plus(struct exact x, struct exact y, enum ptx_mod mode) {
    if (x.kind == NO_NUMBER || y.kind == NO_NUMBER) return no_number();
    if (x.kind == INFINITE || y.kind == INFINITE) {
        if (x.kind == y.kind && x.negative != y.negative) return no_number();
        return x.kind == INFINITE ? x : y;
    }
    if (!x.digits && !y.digits) {
        if (x.negative != y.negative) x.negative = mode == PTX_MOD_RM;
        return x;
    }
    if (!x.digits || !y.digits) return x.digits ? x : y;
    normalize(&x, 124);
    normalize(&y, 124);
    if (x.exponent < y.exponent || (x.exponent == y.exponent && x.digits < y.digits)) {
        const struct exact swap = x;
        x = y, y = swap;
    }
    const int shift = x.exponent - y.exponent;
    const uint128 aligned = shift > 127 ? 0 : y.digits >> shift;
    x.more = shift > 127 || (aligned << shift) != y.digits;
    if (x.negative == y.negative)
        x.digits += aligned;
    else
        x.digits -= aligned + x.more; /* borrows for the remainder */
    if (!x.digits) x.negative = mode == PTX_MOD_RM;
    return x;
}
static inline struct exact times(struct exact x, struct exact y) {
    const bool zero = (x.kind == FINITE && !x.digits) || (y.kind == FINITE && !y.digits);
    const bool infinite = x.kind == INFINITE || y.kind == INFINITE;
    if (x.kind == NO_NUMBER || y.kind == NO_NUMBER || (zero && infinite)) return no_number();
    x.negative ^= y.negative;
    if (infinite) x.kind = INFINITE;
    x.digits *= y.digits, x.exponent += y.exponent;
    return x;
}
static inline struct exact over(struct exact x, struct exact y) {
    const bool zero = y.kind == FINITE && !y.digits;
    if (x.kind == NO_NUMBER || y.kind == NO_NUMBER || (x.kind == INFINITE && y.kind == INFINITE)) return no_number();
    if (zero && x.kind == FINITE && !x.digits) return no_number();
    x.negative ^= y.negative;
    if (x.kind == INFINITE || zero) return (struct exact){.kind = INFINITE, .negative = x.negative};
    if (y.kind == INFINITE || !x.digits) return (struct exact){.negative = x.negative};
    normalize(&x, 127);
    normalize(&y, 63);
    x.more = x.digits % y.digits != 0;
    x.digits /= y.digits, x.exponent -= y.exponent;
    return x;
}
static inline struct exact root(struct exact x) {
    if (x.kind == NO_NUMBER || (x.kind == FINITE && !x.digits) || (x.kind == INFINITE && !x.negative)) return x;
    if (x.negative) return no_number();
    normalize(&x, (x.exponent + top_digit(x.digits)) % 2 ? 125 : 124);
    uint128 found = 0; /* the square root, digit by digit */
    for (int place = 63; place >= 0; place--) {
        const uint128 with = found | (uint128)1 << place;
        if (with * with <= x.digits) found = with;
    }
    x.more = found * found != x.digits;
    x.digits = found, x.exponent /= 2;
    return x;
}
/* Maps numbers except NaN to integers in the same order. Both zeros become 0. */
static inline int64_t order_of(uint64_t v, enum ptx_type t) {
    const int64_t magnitude = (int64_t)(v & ~sign_bit(t));
    return v & sign_bit(t) ? -magnitude : magnitude;
}

#endif
