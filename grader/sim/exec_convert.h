/* cvt: conversion between types (PTX ISA, cvt). Part of exec.c. The common pairs, register as wide as type, have loops
 * of their own; everything else goes lane by lane through the widest type. Rounding of results other than to nearest is
 * done by the wrapper in program.c, which sets the host's rounding mode around the handler. */

/* ---- fast pairs: integers, and integer to float, float to float ----------------------------- */
#define CONVERT(to, from)                                                                                              \
    static void cvt_##to##_##from(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                       \
        C_##to *d = sim_row(w, i->d);                                                                                  \
        const C_##from *a = sim_row(w, i->a);                                                                          \
        C_##from copy[SIM_WARP]; /* source and destination may be one row */                                           \
        memcpy(copy, a, sizeof copy);                                                                                  \
        OVER_LANES(mask, d[l] = (C_##to)copy[l], d[l] = ON(mask) ? (C_##to)copy[l] : d[l])                             \
    }
// clang-format off
#define FAST_PAIRS(M)                                                                                                  \
    M(U32, U16) M(U32, S16) M(S32, U16) M(S32, S16) M(U64, U16) M(U64, S16) M(S64, U16) M(S64, S16)                    \
    M(U16, U32) M(U16, S32) M(S16, U32) M(S16, S32) M(U64, U32) M(U64, S32) M(S64, U32) M(S64, S32)                    \
    M(U16, U64) M(U32, U64) M(S32, U64) M(U32, S64) M(S32, S64) M(U32, U32) M(U32, S32) M(S32, U32) M(S32, S32)        \
    M(U64, U64) M(U64, S64) M(S64, U64) M(S64, S64)                                                                    \
    M(F32, U16) M(F32, S16) M(F32, U32) M(F32, S32) M(F32, U64) M(F32, S64)                                            \
    M(F64, U16) M(F64, S16) M(F64, U32) M(F64, S32) M(F64, U64) M(F64, S64) M(F64, F32) M(F32, F64)
// clang-format on
FAST_PAIRS(CONVERT)
#define FAST_ENTRY(to, from) [PTX_##to][PTX_##from] = cvt_##to##_##from,
static sim_exec *const fast_conversions[PTX_TYPE_COUNT][PTX_TYPE_COUNT] = {FAST_PAIRS(FAST_ENTRY)};

/* ---- the general way ------------------------------------------------------------------------ */
static inline bool is_float(enum ptx_type t) { return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64; }
static inline bool is_signed(enum ptx_type t) { return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64; }

static uint64_t row_bits(const void *row, unsigned bits, unsigned l) {
    return bits <= 16   ? ((const uint16_t *)row)[l]
           : bits == 32 ? ((const uint32_t *)row)[l]
                        : ((const uint64_t *)row)[l];
}
static void set_row_bits(void *row, unsigned bits, unsigned l, uint64_t value) {
    if (bits <= 16)
        ((uint16_t *)row)[l] = (uint16_t)value;
    else if (bits == 32)
        ((uint32_t *)row)[l] = (uint32_t)value;
    else
        ((uint64_t *)row)[l] = value;
}
static uint64_t sign_extend(uint64_t v, unsigned bits) {
    return bits >= 64 ? v : (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}
static uint64_t zero_extend(uint64_t v, unsigned bits) { return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1); }

/* IEEE half precision: 1 sign, 5 exponent, 10 fraction bits. */
static double value_of_half(uint16_t h) {
    const int exponent = h >> 10 & 31, fraction = h & 0x3ff;
    const double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                             : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                            : ldexp(fraction, -24);
    return h & 0x8000 ? -magnitude : magnitude;
}
/* Rounded once, in the host's rounding mode, to a multiple of the spacing of halves at x. */
static uint16_t half_of_value(double x) {
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    if (x != x) return 0x7fff;
    if (isinf(x)) return sign | 0x7c00;
    frexp(x, &exponent);
    const int spacing = exponent < -13 ? -24 : exponent - 11;
    const double rounded = fabs(ldexp(nearbyint(ldexp(x, -spacing)), spacing));
    const int mode = fegetround();
    if (rounded > 65504) /* past the largest: infinity, unless the mode rounds toward zero on this side */
        return sign | (mode == FE_TOWARDZERO || mode == (sign ? FE_UPWARD : FE_DOWNWARD) ? 0x7bff : 0x7c00);
    if (rounded < 0x1p-14) return sign | (uint16_t)ldexp(rounded, 24);
    frexp(rounded, &exponent);
    return sign | (uint16_t)((exponent + 14) << 10) | ((uint16_t)ldexp(rounded, 11 - exponent) & 0x3ff);
}
static double float_of_bits(uint64_t v, enum ptx_type t) {
    if (t == PTX_F64) {
        double x;
        memcpy(&x, &v, 8);
        return x;
    }
    if (t == PTX_F16) return value_of_half((uint16_t)v);
    uint32_t b = t == PTX_BF16 ? (uint32_t)v << 16 : (uint32_t)v;
    float x;
    memcpy(&x, &b, 4);
    return (double)x;
}
static uint64_t bits_of_float(double x, enum ptx_type t) {
    uint64_t v = 0;
    if (t == PTX_F64) {
        memcpy(&v, &x, 8);
        return v;
    }
    if (t == PTX_F16) return half_of_value(x);
    float f = (float)x;
    uint32_t b;
    memcpy(&b, &f, 4);
    if (t == PTX_F32) return b;
    if (f != f) return 0x7fff;
    return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16); /* bf16: the upper half, rounded to nearest even */
}
static double to_integral(double x, enum ptx_mod round) {
    switch (round) {
    case PTX_MOD_RNI: return nearbyint(x);
    case PTX_MOD_RZI: return trunc(x);
    case PTX_MOD_RMI: return floor(x);
    case PTX_MOD_RPI: return ceil(x);
    default: return x;
    }
}
/* Float to integer: NaN gives 0, what does not fit gives the nearest number that does. */
static uint64_t integer_of_float(double x, enum ptx_type t, enum ptx_mod round) {
    unsigned bits = ptx_type_bits(t);
    if (x != x) return 0;
    x = to_integral(x, round == PTX_MOD_NONE ? PTX_MOD_RZI : round);
    if (is_signed(t)) {
        double limit = ldexp(1.0, (int)bits - 1);
        if (x >= limit) return (UINT64_C(1) << (bits - 1)) - 1;
        if (x < -limit) return sign_extend(UINT64_C(1) << (bits - 1), bits);
        return (uint64_t)(int64_t)x;
    }
    if (x >= ldexp(1.0, (int)bits)) return zero_extend(UINT64_MAX, bits);
    return x <= 0 ? 0 : (uint64_t)x;
}
/* Integer to integer with .sat: clamp to the range of `to`. */
static uint64_t saturated(uint64_t v, enum ptx_type from, enum ptx_type to) {
    unsigned bits = ptx_type_bits(to);
    bool negative = is_signed(from) && (int64_t)v < 0;
    if (!is_signed(to)) return negative ? 0 : v > zero_extend(UINT64_MAX, bits) ? zero_extend(UINT64_MAX, bits) : v;
    uint64_t highest = zero_extend(UINT64_MAX, bits - 1);
    if (negative) return (int64_t)v < -(int64_t)highest - 1 ? ~highest : v;
    return v > highest ? highest : v;
}

static uint64_t convert_lane(uint64_t v, const struct ptx_insn *p) {
    enum ptx_type to = p->type, from = p->type2;
    const bool sat = ptx_mod_of(p, PTX_CLASS_SAT) == PTX_MOD_SAT, ftz = ptx_mod_of(p, PTX_CLASS_FTZ) != PTX_MOD_NONE;
    const enum ptx_mod round = ptx_mod_of(p, PTX_CLASS_ROUND);
    if (!is_float(from)) {
        v = is_signed(from) ? sign_extend(v, ptx_type_bits(from)) : zero_extend(v, ptx_type_bits(from));
        if (!is_float(to)) return sat ? saturated(v, from, to) : v;
        if (to == PTX_F32) { /* straight from 64 bits: through double it would round twice */
            float f = is_signed(from) ? (float)(int64_t)v : (float)v;
            uint32_t b;
            memcpy(&b, &f, 4);
            return b;
        }
        return bits_of_float(is_signed(from) ? (double)(int64_t)v : (double)v, to);
    }
    double x = float_of_bits(v, from);
    if (ftz && from == PTX_F32) x = ftz_((float)x);
    if (!is_float(to)) return integer_of_float(x, to, round);
    x = to_integral(x, round);
    if (sat) x = x > 1 ? 1 : x > 0 ? x : 0; /* NaN and -0 give +0 */
    v = bits_of_float(x, to);
    if (ftz && to == PTX_F32) v = bits_of_float(ftz_((float)float_of_bits(v, to)), to);
    return v;
}
/* i->width holds the bits of the source register, i->bytes those of the destination. */
static void exec_cvt(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    void *d = sim_row(w, i->d);
    uint64_t value[SIM_WARP];
    SIM_EACH_LANE(l, mask) value[l] = convert_lane(row_bits(sim_row(w, i->a), i->width, l), p);
    unsigned to = ptx_type_bits(p->type);
    SIM_EACH_LANE(l, mask)
    set_row_bits(d, i->bytes, l, is_signed(p->type) ? sign_extend(value[l], to) : zero_extend(value[l], to));
}

static sim_exec *convert_handler(const struct ptx_insn *i, unsigned source_bits, unsigned dest_bits) {
    if (i->op != PTX_OP_cvt) return NULL;
    const enum ptx_mod round = ptx_mod_of(i, PTX_CLASS_ROUND);
    bool plain = ptx_mod_of(i, PTX_CLASS_SAT) == PTX_MOD_NONE && ptx_mod_of(i, PTX_CLASS_FTZ) == PTX_MOD_NONE &&
                 round < PTX_MOD_RNI && source_bits == ptx_type_bits(i->type2) && dest_bits == ptx_type_bits(i->type);
    sim_exec *fast = plain ? fast_conversions[i->type][i->type2] : NULL;
    return fast ? fast : exec_cvt;
}
