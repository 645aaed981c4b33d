/* cvt: conversion between types (PTX ISA, cvt). Included by exec.c. Common pairs of types have their own loops, if the
 * registers are as wide as the types. Other conversions go through double or 64-bit integers, lane by lane. words.c
 * wraps the handler for rounding modes other than round-to-nearest, and sets the host's mode. */

/* ---- fast conversions: between integers, integer to float, between floats, float to integer -------- */
#define CONVERT(to, from)                                                                                              \
    static void cvt_##to##_##from(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                       \
        C_##to *d = sim_row(w, i->d);                                                                                  \
        const C_##from *a = sim_row(w, i->a);                                                                          \
        C_##from copy[SIM_WARP]; /* source and destination may be the same row */                                      \
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

/* Float to integer, rounded toward zero, as integer_of_float() does for one lane. `wide`: a NaN becomes an integer with
 * only the top bit set. */
#define TRUNCATE(to, from)                                                                                             \
    static void cvt_##to##_##from(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {                       \
        enum { BITS = 8 * sizeof(C_##to), SIGNED = (C_##to) - 1 < 1 };                                                 \
        const bool wide = BITS == 64 || sizeof(C_##from) == 8;                                                         \
        const C_##to most = (C_##to)(UINT64_MAX >> (64 - BITS + SIGNED)),                                              \
                     nan = wide ? (C_##to)(UINT64_C(1) << (BITS - 1)) : 0;                                             \
        const C_##from high = (C_##from)2 * (C_##from)(UINT64_C(1) << (BITS - 1 - SIGNED)), low = SIGNED ? -high : 0;  \
        C_##to *d = sim_row(w, i->d), made[SIM_WARP];                                                                  \
        const C_##from *a = sim_row(w, i->a);                                                                          \
        for (int l = 0; l < SIM_WARP; l++) {                                                                           \
            const C_##from x = a[l] > low ? a[l] : low;                                                                \
            const C_##to v = x < high ? (C_##to)(x < high ? x : 0) : most;                                             \
            made[l] = a[l] == a[l] ? v : nan;                                                                          \
        }                                                                                                              \
        OVER_LANES(mask, d[l] = made[l], d[l] = ON(mask) ? made[l] : d[l])                                             \
    }
#define TRUNCATED_PAIRS(M)                                                                                             \
    M(S32, F32) M(U32, F32) M(S64, F32) M(U64, F32) M(S32, F64) M(U32, F64) M(S64, F64) M(U64, F64)
TRUNCATED_PAIRS(TRUNCATE)
#define FAST_ENTRY(to, from) [PTX_##to][PTX_##from] = cvt_##to##_##from,
static sim_exec *const fast_conversions[PTX_TYPE_COUNT][PTX_TYPE_COUNT] = {FAST_PAIRS(FAST_ENTRY)},
                       *const truncations[PTX_TYPE_COUNT][PTX_TYPE_COUNT] = {TRUNCATED_PAIRS(FAST_ENTRY)};

/* ---- the general path ----------------------------------------------------------------------- */
static inline bool is_float(enum ptx_type t) { return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64; }
static inline bool is_signed(enum ptx_type t) { return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64; }

static uint64_t sign_extend(uint64_t v, unsigned bits) {
    return bits >= 64 ? v : (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}
static uint64_t zero_extend(uint64_t v, unsigned bits) { return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1); }

static double float_of_bits(uint64_t v, enum ptx_type t) {
    if (t == PTX_F64) {
        double x;
        memcpy(&x, &v, 8);
        return x;
    }
    if (t == PTX_F16) return widened_f16((uint16_t)v);
    if (t == PTX_BF16) return widened_bf16((uint16_t)v);
    const uint32_t b = (uint32_t)v;
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
    if (t == PTX_F16) return narrowed_f16(x);
    if (t == PTX_BF16) return narrowed_bf16(x);
    const float f = (float)x;
    memcpy(&v, &f, 4);
    return v;
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
/* Converts a float to an integer. Values out of range saturate. NaN becomes 0 or, if either type has 64 bits, an
 * integer with only the top bit set (PTX ISA, cvt). */
static uint64_t integer_of_float(double x, enum ptx_type from, enum ptx_type t, enum ptx_mod round) {
    const unsigned bits = ptx_type_bits(t);
    if (x != x) return from == PTX_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    x = to_integral(x, round == PTX_MOD_NONE ? PTX_MOD_RZI : round);
    if (is_signed(t)) {
        const double limit = (double)(UINT64_C(1) << (bits - 1));
        if (x >= limit) return (UINT64_C(1) << (bits - 1)) - 1;
        if (x < -limit) return sign_extend(UINT64_C(1) << (bits - 1), bits);
        return (uint64_t)(int64_t)x;
    }
    if (x >= 2 * (double)(UINT64_C(1) << (bits - 1))) return zero_extend(UINT64_MAX, bits);
    return x <= 0 ? 0 : (uint64_t)x;
}
/* Converts an integer to an integer with .sat, which clamps it to the range of `to`. */
static uint64_t saturated(uint64_t v, enum ptx_type from, enum ptx_type to) {
    unsigned bits = ptx_type_bits(to);
    bool negative = is_signed(from) && (int64_t)v < 0;
    if (!is_signed(to)) return negative ? 0 : v > zero_extend(UINT64_MAX, bits) ? zero_extend(UINT64_MAX, bits) : v;
    uint64_t highest = zero_extend(UINT64_MAX, bits - 1);
    if (negative) return (int64_t)v < -(int64_t)highest - 1 ? ~highest : v;
    return v > highest ? highest : v;
}

/* Converts an integer to a float, through double if the float is narrow. One sticky bit replaces the bits that a double
 * cannot hold, because they only tell a tie from a value above it. .sat clamps the result to [0, 1]. */
static uint64_t float_of_integer(uint64_t v, bool is_signed_type, enum ptx_type to, bool sat) {
    if (sat) v = v && !(is_signed_type && (int64_t)v < 0);
    const bool negative = is_signed_type && (int64_t)v < 0;
    if (to == PTX_F32) { /* round the 64-bit integer only once */
        const float f = is_signed_type ? (float)(int64_t)v : (float)v;
        uint32_t b;
        memcpy(&b, &f, 4);
        return b;
    }
    if (to == PTX_F64) return bits_of_float(is_signed_type ? (double)(int64_t)v : (double)v, to);
    uint64_t magnitude = negative ? 0 - v : v;
    if (magnitude >> 53) magnitude = (magnitude >> 16 | ((magnitude & 0xffff) != 0)) << 16;
    return bits_of_float(negative ? -(double)magnitude : (double)magnitude, to);
}
/* Converts a NaN and returns its bits. `v` has its bits in type `from`; `x` is the same NaN as a double. As measured
 * on an H200, only conversions from bf16 to f32, and from and to f64, keep the sign and the fraction's upper bits. From
 * bf16 to f32, no bit changes. */
static uint64_t converted_nan(uint64_t v, double x, enum ptx_type from, enum ptx_type to) {
    if (from == PTX_F64 && to == PTX_F16) return (v >> 48 & 0x8000) | 0x7e00 | (v >> 42 & 0x3ff);
    if (from == PTX_F64 && to == PTX_BF16) return (v >> 48 & 0x8000) | 0x7fc0 | (v >> 45 & 0x7f);
    if (from == PTX_BF16 && to == PTX_F32) return v << 16;
    if (to == PTX_F64) return bits_of_float(x, to) | UINT64_C(1) << 51;
    if (to == PTX_F32 && (from == PTX_F32 || from == PTX_F16)) return 0x7fffffff;
    return bits_of_float(x, to);
}
static uint64_t convert_lane(uint64_t v, const struct ptx_insn *p) {
    const enum ptx_type to = p->type, from = p->type2;
    const bool sat = ptx_mod_of(p, PTX_CLASS_SAT) == PTX_MOD_SAT, ftz = ptx_mod_of(p, PTX_CLASS_FTZ) != PTX_MOD_NONE;
    const enum ptx_mod round = ptx_mod_of(p, PTX_CLASS_ROUND);
    if (!is_float(from)) {
        v = is_signed(from) ? sign_extend(v, ptx_type_bits(from)) : zero_extend(v, ptx_type_bits(from));
        if (is_float(to)) return float_of_integer(v, is_signed(from), to, sat);
        return sat ? saturated(v, from, to) : v;
    }
    double x = float_of_bits(v, from);
    if (ftz && from == PTX_F32) x = ftz_((float)x);
    if (!is_float(to)) return integer_of_float(x, from, to, round);
    x = to_integral(x, round);
    if (sat) x = x > 1 ? 1 : x > 0 ? x : 0; /* NaN and -0 become +0 */
    if (ptx_mod_of(p, PTX_CLASS_RELU) != PTX_MOD_NONE) x = x <= 0 ? 0 : x;
    if (x != x) return converted_nan(v, x, from, to);
    v = bits_of_float(x, to);
    if (ftz && to == PTX_F32) v = bits_of_float(ftz_((float)float_of_bits(v, to)), to);
    return v;
}
static void exec_cvt(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    void *d = sim_row(w, i->d);
    uint64_t value[SIM_WARP];
    SIM_EACH_LANE (l, mask) value[l] = convert_lane(row_bits(sim_row(w, i->a), i->convert.from_bits, l), p);
    unsigned to = ptx_type_bits(p->type);
    SIM_EACH_LANE (l, mask)
        set_row_bits(d, i->convert.to_bits, l,
                     is_signed(p->type) ? sign_extend(value[l], to) : zero_extend(value[l], to));
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the high half of d. */
static void exec_cvt_pair(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const float *source[2] = {sim_row(w, i->b), sim_row(w, i->a)};
    const bool relu = ptx_mod_of(i->source, PTX_CLASS_RELU) != PTX_MOD_NONE, brain = is_brain(i->source->type);
    uint16_t *d = sim_row(w, i->d), made[2 * SIM_WARP];
    for (unsigned l = 0; l < 2 * SIM_WARP; l++) {
        double x = (double)source[l % 2][l / 2];
        if (relu) x = x <= 0 ? 0 : x;
        made[l] = brain ? narrowed_bf16(x) : narrowed_f16(x);
    }
    for (unsigned l = 0; l < 2 * SIM_WARP; l++) d[l] = mask >> l / 2 & 1 ? made[l] : d[l];
}
ONE_HANDLER(cvt_pair)

/* ---- 8-bit floats in pairs, and tf32 (PTX ISA, "Alternate floating-point data formats") -------------------------- */
struct narrow {
    unsigned fraction; /* bits of the fraction */
    int lowest;        /* exponent of the smallest normal number */
    uint8_t largest;   /* code of the largest finite number */
};
/* Returns the format of e4m3 or e5m2. In e4m3, which has no infinity, only the highest code, 0x7f, is NaN. */
static struct narrow narrow_of(enum ptx_type t) {
    return t == PTX_E4M3X2 ? (struct narrow){3, -6, 0x7e} : (struct narrow){2, -14, 0x7b};
}
/* Rounds to an 8-bit float, ties to even. Values out of range become the largest finite number, and NaN becomes
 * 0x7f. */
static uint8_t narrowed_fp8(double x, enum ptx_type t) {
    const struct narrow f = narrow_of(t);
    const uint8_t sign = signbit(x) ? 0x80 : 0;
    const double magnitude = fabs(x);
    if (x != x) return 0x7f;
    if (magnitude == 0) return sign;
    int exponent = magnitude < HUGE_VAL ? ilogb(magnitude) : 1000;
    if (exponent < f.lowest) exponent = f.lowest;
    if (exponent > 16) return sign | f.largest;
    /* the magnitude in units in the last place */
    const uint32_t units = (uint32_t)rint(ldexp(magnitude, (int)f.fraction - exponent));
    const uint32_t code = units + ((uint32_t)(exponent - f.lowest) << f.fraction);
    return sign | (uint8_t)(code > f.largest ? f.largest : code);
}
static uint16_t half_of_fp8(uint8_t v, enum ptx_type t) {
    const struct narrow f = narrow_of(t);
    const uint32_t magnitude = v & 0x7f, fraction = magnitude & ((1u << f.fraction) - 1),
                   field = magnitude >> f.fraction;
    if (t == PTX_E5M2X2) return magnitude > 0x7c ? 0x7fff : (uint16_t)(v << 8);
    if (magnitude == 0x7f) return 0x7fff;
    const double x = ldexp((double)(field ? fraction | 1u << f.fraction : fraction),
                           f.lowest - (int)f.fraction + (field ? (int)field - 1 : 0));
    return narrowed_f16(v & 0x80 ? -x : x);
}
static double not_below_zero(double x, bool relu) { return relu && x <= 0 ? 0 : x; }
static void exec_cvt_fp8(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const float *high = sim_row(w, i->a), *low = sim_row(w, i->b);
    const bool relu = ptx_mod_of(i->source, PTX_CLASS_RELU) != PTX_MOD_NONE;
    const enum ptx_type t = i->source->type;
    uint16_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask)
        d[l] = (uint16_t)(narrowed_fp8(not_below_zero((double)high[l], relu), t) << 8 |
                          narrowed_fp8(not_below_zero((double)low[l], relu), t));
}
static void exec_cvt_fp8_halves(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint16_t *a = sim_row(w, i->a);
    const bool relu = ptx_mod_of(i->source, PTX_CLASS_RELU) != PTX_MOD_NONE;
    const enum ptx_type t = i->source->type;
    uint16_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask)
        d[l] = (uint16_t)(narrowed_fp8(not_below_zero(widened_f16(a[2 * l + 1]), relu), t) << 8 |
                          narrowed_fp8(not_below_zero(widened_f16(a[2 * l]), relu), t));
}
static void exec_cvt_halves_fp8(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint16_t *a = sim_row(w, i->a);
    const bool relu = ptx_mod_of(i->source, PTX_CLASS_RELU) != PTX_MOD_NONE;
    uint16_t *d = sim_row(w, i->d), made[2 * SIM_WARP];
    SIM_EACH_LANE (l, mask)
        for (unsigned k = 0; k < 2; k++) {
            const uint16_t h = half_of_fp8((uint8_t)(a[l] >> 8 * k), i->source->type2);
            made[2 * l + k] = relu && h & 0x8000 ? 0 : h;
        }
    SIM_EACH_LANE (l, mask) d[2 * l] = made[2 * l], d[2 * l + 1] = made[2 * l + 1];
}
/* Rounds a float to 10 fraction bits (tf32). On an H200 (measured), .rna truncates a NaN. .satfinite subtracts 1 from
 * the code of an infinity or NaN, so that a NaN may become a number or infinity. */
static uint32_t shortened(uint32_t v, enum ptx_mod round, bool satfinite) {
    const uint32_t magnitude = v & 0x7fffffff, sign = v ^ magnitude, odd = v >> 13 & 1;
    const bool finite = magnitude < 0x7f800000;
    if (magnitude > 0x7f800000 && round != PTX_MOD_RNA) return 0x7fffe000;
    const uint32_t up = !finite ? 0 : round == PTX_MOD_RNA ? 0x1000 : round == PTX_MOD_RN ? 0xfff + odd : 0;
    const uint32_t out = (magnitude + up) & ~0x1fffu;
    return sign | (satfinite && out >= 0x7f800000 ? out - 0x2000 : out);
}
static void exec_cvt_tf32(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const enum ptx_mod round = ptx_mod_of(p, PTX_CLASS_ROUND);
    const bool relu = ptx_mod_of(p, PTX_CLASS_RELU) != PTX_MOD_NONE;
    const bool satfinite = ptx_mod_of(p, PTX_CLASS_SATFINITE) != PTX_MOD_NONE;
    const uint32_t *a = sim_row(w, i->a);
    uint32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) {
        const uint32_t v = shortened(a[l], round, satfinite);
        d[l] = relu && v >> 31 ? 0 : v;
    }
}
ONE_HANDLER(cvt_fp8)
ONE_HANDLER(cvt_fp8_halves)
ONE_HANDLER(cvt_halves_fp8)
ONE_HANDLER(cvt_tf32)
static void form_cvt(struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const enum ptx_mod round = ptx_mod_of(p, PTX_CLASS_ROUND);
    const bool plain = ptx_mod_of(p, PTX_CLASS_SAT) == PTX_MOD_NONE && ptx_mod_of(p, PTX_CLASS_FTZ) == PTX_MOD_NONE &&
                       ptx_mod_of(p, PTX_CLASS_RELU) == PTX_MOD_NONE &&
                       i->convert.from_bits == ptx_type_bits(p->type2) && i->convert.to_bits == ptx_type_bits(p->type);
    sim_exec *const fast = round == PTX_MOD_RZI           ? truncations[p->type][p->type2]
                           : ptx_rounds_to_integer(round) ? NULL
                                                          : fast_conversions[p->type][p->type2];
    i->exec = plain && fast ? fast : exec_cvt;
}
