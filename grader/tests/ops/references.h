/* Computes the expected result of each row that lanes execute independently. Integers use __int128 and loops over
 * bits, as in the PTX ISA; floats use exact.h or long double. Sources are zero-extended, in the order of the row's
 * signature. Predicates are 0 or 1. */
#ifndef TESTS_OPS_REFERENCES_H
#define TESTS_OPS_REFERENCES_H

#include "tests/ops/exact.h"
#include <math.h>
#include <string.h>

/* A form of an instruction: its row, types and words. */
struct form {
    enum ptx_op op;
    enum ptx_type type, type2;
    uint8_t word[PTX_CLASS_COUNT];
};
/* The destination. Some rows have a second result: a predicate or the carry. */
struct result {
    uint64_t first, second;
};
typedef struct result reference(const struct form *f, const uint64_t *v);

static inline unsigned width(const struct form *f) { return ptx_type_bits(f->type); }
static inline bool has_sign(const struct form *f) { return is_signed_type(f->type); }
static inline int128 extended(uint64_t v, unsigned bits, bool is_signed) {
    return is_signed && v >> (bits - 1) & 1 ? (int128)v - ((int128)1 << bits) : (int128)v;
}
static inline int128 number(const struct form *f, uint64_t v) { return extended(v, width(f), has_sign(f)); }
static inline struct result low(int128 v, unsigned bits) { return (struct result){(uint64_t)v & low_bits(bits), 0}; }
static inline int128 clamped(const struct form *f, int128 v) {
    if (f->word[PTX_CLASS_RELU] && v < 0) return 0;
    if (!f->word[PTX_CLASS_SAT]) return v;
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */
#define INTEGER(name, expression)                                                                                      \
    static inline struct result ref_##name(const struct form *f, const uint64_t *v) {                                  \
        const int128 a = number(f, v[0]), b = number(f, v[1]), c = number(f, v[2]);                                    \
        (void)a, (void)b, (void)c;                                                                                     \
        return low(clamped(f, (expression)), width(f));                                                                \
    }
/* Returns the upper half of a product. The product of unsigned 64-bit numbers may set the sign bit of int128, but
 * loses no bit. */
static inline int128 product_high(const struct form *f, int128 a, int128 b) {
    const int128 product = (int128)((uint128)a * (uint128)b);
    return has_sign(f) ? product >> width(f) : (int128)((uint128)product >> width(f));
}
static inline int128 low_24(const struct form *f, uint64_t v) { return extended(v & 0xffffff, 24, has_sign(f)); }
INTEGER(add_int, a + b)
INTEGER(sub_int, a - b)
INTEGER(mul_lo, (int128)((uint128)a *(uint128)b))
INTEGER(mul_hi, product_high(f, a, b))
INTEGER(mad_lo, (int128)((uint128)a *(uint128)b + (uint128)c))
INTEGER(mad_hi, product_high(f, a, b) + c)
INTEGER(mul24_lo, low_24(f, v[0]) * low_24(f, v[1]))
INTEGER(mul24_hi, (low_24(f, v[0]) * low_24(f, v[1])) >> 16)
INTEGER(mad24_lo, low_24(f, v[0]) * low_24(f, v[1]) + c)
INTEGER(mad24_hi, ((low_24(f, v[0]) * low_24(f, v[1])) >> 16) + c)
INTEGER(div_int, b ? a / b : -1)
INTEGER(rem_int, b ? a % b : a)
INTEGER(abs_int, a < 0 ? -a : a)
INTEGER(neg_int, -a)
INTEGER(min_int, a < b ? a : b)
INTEGER(max_int, a < b ? b : a)
INTEGER(sad, c + (a < b ? b - a : a - b))
static inline struct result ref_mul_wide(const struct form *f, const uint64_t *v) {
    return low(number(f, v[0]) * number(f, v[1]), 2 * width(f));
}
static inline struct result ref_mad_wide(const struct form *f, const uint64_t *v) {
    return low(number(f, v[0]) * number(f, v[1]) + (int128)v[2], 2 * width(f));
}
static inline struct result ref_popc(const struct form *f, const uint64_t *v) {
    uint64_t n = 0;
    for (unsigned k = 0; k < width(f); k++) n += v[0] >> k & 1;
    return (struct result){n, 0};
}
static inline struct result ref_clz(const struct form *f, const uint64_t *v) {
    uint64_t n = 0;
    while (n < width(f) && !(v[0] >> (width(f) - 1 - n) & 1)) n++;
    return (struct result){n, 0};
}
static inline struct result ref_bfind(const struct form *f, const uint64_t *v) {
    const bool negative = has_sign(f) && v[0] >> (width(f) - 1);
    for (unsigned k = width(f); k-- > 0;)
        if ((v[0] >> k & 1) != negative) return (struct result){f->op == PTX_OP_bfind ? k : width(f) - 1 - k, 0};
    return (struct result){UINT32_MAX, 0};
}
static inline struct result ref_brev(const struct form *f, const uint64_t *v) {
    uint64_t d = 0;
    for (unsigned k = 0; k < width(f); k++) d |= (v[0] >> k & 1) << (width(f) - 1 - k);
    return (struct result){d, 0};
}
static inline struct result ref_bfe(const struct form *f, const uint64_t *v) {
    const unsigned position = v[1] & 255, length = v[2] & 255, top = width(f) - 1;
    const unsigned last = position + length - 1 < top ? position + length - 1 : top;
    const uint64_t sign = has_sign(f) && length ? v[0] >> last & 1 : 0;
    uint64_t d = 0;
    for (unsigned k = 0; k <= top; k++)
        d |= (k < length && position + k <= top ? v[0] >> (position + k) & 1 : sign) << k;
    return (struct result){d, 0};
}
static inline struct result ref_bfi(const struct form *f, const uint64_t *v) {
    const unsigned position = v[2] & 255, length = v[3] & 255;
    uint64_t d = v[1];
    for (unsigned k = 0; k < length && position + k < width(f); k++)
        d = (d & ~(UINT64_C(1) << (position + k))) | (v[0] >> k & 1) << (position + k);
    return (struct result){d, 0};
}

/* the simulator's barrier state has the pending count in its lowest 20 bits */
static inline struct result ref_mbarrier_pending(const struct form *f, const uint64_t *v) {
    (void)f;
    return low((int128)v[0], 20);
}
/* Returns a word in which the bits of the field are set. */
static inline struct result ref_bmsk(const struct form *f, const uint64_t *v) {
    const bool wrap = f->op == PTX_OP_bmsk_wrap;
    const uint64_t from = wrap ? v[0] % 32 : v[0], length = wrap ? v[1] % 32 : v[1];
    uint64_t d = 0;
    for (uint64_t k = 0; k < 32; k++)
        if (k >= from && k - from < length) d |= UINT64_C(1) << k;
    return (struct result){d, 0};
}
static inline struct result ref_szext(const struct form *f, const uint64_t *v) {
    const uint64_t bits = f->op == PTX_OP_szext_wrap ? v[1] % 32 : v[1];
    if (!bits || bits > 31) return (struct result){bits ? v[0] : 0, 0};
    return low(extended(v[0] & low_bits((unsigned)bits), (unsigned)bits, has_sign(f)), 32);
}

/* Computes the two numbers of a pair of integers separately. */
static inline struct result by_pairs(const struct form *f, const uint64_t *v, reference *single) {
    struct form g = *f;
    uint64_t d = 0;
    g.type = f->type == PTX_S16X2 ? PTX_S16 : PTX_U16;
    for (unsigned part = 0; part < 2; part++) {
        const uint64_t one[3] = {v[0] >> 16 * part & 0xffff, v[1] >> 16 * part & 0xffff};
        d |= single(&g, one).first << 16 * part;
    }
    return (struct result){d, 0};
}
static inline struct result ref_add_pair(const struct form *f, const uint64_t *v) {
    return by_pairs(f, v, ref_add_int);
}
static inline struct result ref_min_pair(const struct form *f, const uint64_t *v) {
    return by_pairs(f, v, ref_min_int);
}
static inline struct result ref_max_pair(const struct form *f, const uint64_t *v) {
    return by_pairs(f, v, ref_max_int);
}
/* Computes |a - b| for each field of `bits` bits. Returns their sum or, if not `sum`, each in the place of its
 * field. */
static inline struct result differences(const uint64_t *v, unsigned bits, bool sum) {
    uint64_t d = sum ? v[2] : 0;
    for (unsigned k = 0; k < 32; k += bits) {
        const int64_t a = (int64_t)(v[0] >> k & low_bits(bits)), b = (int64_t)(v[1] >> k & low_bits(bits));
        d += (uint64_t)(a < b ? b - a : a - b) << (sum ? 0 : k);
    }
    return low((int128)d, 32);
}
static inline struct result ref_dot(const struct form *f, const uint64_t *v) {
    const unsigned width_of_a = f->op == PTX_OP_dp4a ? 8 : 16;
    int128 sum = (int128)v[2];
    for (unsigned k = 0; k < 32 / width_of_a; k++) {
        const unsigned place = 8 * k + (f->op == PTX_OP_dp2a_hi ? 16 : 0);
        sum += extended(v[0] >> width_of_a * k & low_bits(width_of_a), width_of_a, f->type == PTX_S32) *
               extended(v[1] >> place & 255, 8, f->type2 == PTX_S32);
    }
    return low(sum, 32);
}
/* the PTX ISA's pseudocode */
static inline struct result ref_fns(const struct form *f, const uint64_t *v) {
    const int32_t offset = (int32_t)v[2], step = offset > 0 ? 1 : -1;
    int64_t at = (int64_t)v[1], count = (offset < 0 ? -(int64_t)offset : offset) - 1;
    (void)f;
    if (offset == 0) return (struct result){v[1] < 32 && v[0] >> v[1] & 1 ? v[1] : UINT32_MAX, 0};
    for (; at >= 0 && at < 32; at += step)
        if (v[0] >> at & 1 && count-- == 0) return (struct result){(uint64_t)at, 0};
    return (struct result){UINT32_MAX, 0};
}

/* ---- carries: the last source is the carry-in, the second result the carry-out -------------------- */
static inline struct result sum_and_carry(const struct form *f, uint128 a, uint128 b, uint64_t carry) {
    const uint128 sum = a + b + carry;
    return (struct result){(uint64_t)sum & low_bits(width(f)), (uint64_t)(sum >> width(f))};
}
static inline struct result ref_addc(const struct form *f, const uint64_t *v) {
    return sum_and_carry(f, v[0], v[1], 0);
}
static inline struct result ref_addc_in(const struct form *f, const uint64_t *v) {
    return sum_and_carry(f, v[0], v[1], v[2]);
}
static inline struct result difference(const struct form *f, uint64_t a, uint64_t b, uint64_t borrow) {
    const int128 d = (int128)a - (int128)b - (int128)borrow;
    return (struct result){(uint64_t)d & low_bits(width(f)), d < 0};
}
static inline struct result ref_subc(const struct form *f, const uint64_t *v) { return difference(f, v[0], v[1], 0); }
static inline struct result ref_subc_in(const struct form *f, const uint64_t *v) {
    return difference(f, v[0], v[1], v[2]);
}
static inline uint64_t half_product(const struct form *f, const uint64_t *v, bool high) {
    const int128 a = number(f, v[0]), b = number(f, v[1]);
    return (uint64_t)(high ? product_high(f, a, b) : (int128)((uint128)a * (uint128)b)) & low_bits(width(f));
}
static inline struct result ref_madc_lo(const struct form *f, const uint64_t *v) {
    return sum_and_carry(f, half_product(f, v, false), v[2], 0);
}
static inline struct result ref_madc_lo_in(const struct form *f, const uint64_t *v) {
    return sum_and_carry(f, half_product(f, v, false), v[2], v[3]);
}
static inline struct result ref_madc_hi(const struct form *f, const uint64_t *v) {
    return sum_and_carry(f, half_product(f, v, true), v[2], 0);
}
static inline struct result ref_madc_hi_in(const struct form *f, const uint64_t *v) {
    return sum_and_carry(f, half_product(f, v, true), v[2], v[3]);
}

/* ---- bits and bytes ---------------------------------------------------------------------------------------------- */
/* Computes each bit of the result: entry a + 2b of the truth table, where a and b are the sources' bits. */
static inline struct result by_table(const struct form *f, const uint64_t *v, unsigned table) {
    uint64_t d = 0;
    for (unsigned k = 0; k < width(f); k++) d |= (uint64_t)(table >> ((v[0] >> k & 1) + 2 * (v[1] >> k & 1)) & 1) << k;
    return (struct result){d, 0};
}
static inline struct result ref_and(const struct form *f, const uint64_t *v) { return by_table(f, v, 8); }
static inline struct result ref_or(const struct form *f, const uint64_t *v) { return by_table(f, v, 14); }
static inline struct result ref_xor(const struct form *f, const uint64_t *v) { return by_table(f, v, 6); }
static inline struct result ref_not(const struct form *f, const uint64_t *v) {
    return low(-1 - (int128)v[0], width(f));
}
static inline struct result ref_cnot(const struct form *f, const uint64_t *v) {
    (void)f;
    return (struct result){v[0] ? 0 : 1, 0};
}
static inline struct result ref_shl(const struct form *f, const uint64_t *v) {
    uint64_t d = v[0];
    for (uint64_t k = 0; k < v[1] && k < width(f); k++) d = (d * 2) & low_bits(width(f));
    return (struct result){d, 0};
}
static inline struct result ref_shr(const struct form *f, const uint64_t *v) {
    int128 d = number(f, v[0]);
    for (uint64_t k = 0; k < v[1] && k < width(f); k++) d = d < 0 ? (d - 1) / 2 : d / 2;
    return low(d, width(f));
}
/* Returns bit k of the 64 bits (b:a). */
static inline uint64_t pair_bit(const uint64_t *v, int k) {
    return k < 0 || k > 63 ? 0 : k < 32 ? v[0] >> k & 1 : v[1] >> (k - 32) & 1;
}
static inline struct result ref_shf(const struct form *f, const uint64_t *v) {
    const bool left = f->op == PTX_OP_shf_l_clamp || f->op == PTX_OP_shf_l_wrap;
    const bool wrap = f->op == PTX_OP_shf_l_wrap || f->op == PTX_OP_shf_r_wrap;
    const int n = wrap ? (int)(v[2] % 32) : v[2] < 32 ? (int)v[2] : 32;
    uint64_t d = 0;
    for (int k = 0; k < 32; k++) d |= pair_bit(v, left ? k + 32 - n : k + n) << k;
    return (struct result){d, 0};
}
/* Computes each bit of the result: entry 4a + 2b + c of the table in the last source. */
static inline struct result ref_lop3(const struct form *f, const uint64_t *v) {
    uint64_t d = 0;
    for (unsigned k = 0; k < width(f); k++)
        d |= (v[3] >> (4 * (v[0] >> k & 1) + 2 * (v[1] >> k & 1) + (v[2] >> k & 1)) & 1) << k;
    return (struct result){d, 0};
}
/* Computes prmt. For each mode, the table lists the bytes that selectors 0 to 3 select, lowest byte first, as in the
 * PTX ISA. */
static inline struct result ref_prmt(const struct form *f, const uint64_t *v) {
    static const struct {
        enum ptx_mod mode;
        const char *picks[4];
    } modes[] = {{PTX_MOD_F4E, {"0123", "1234", "2345", "3456"}}, {PTX_MOD_B4E, {"0765", "1076", "2107", "3210"}},
                 {PTX_MOD_RC8, {"0000", "1111", "2222", "3333"}}, {PTX_MOD_ECL, {"0123", "1123", "2223", "3333"}},
                 {PTX_MOD_ECR, {"0000", "0111", "0122", "0123"}}, {PTX_MOD_RC16, {"0101", "2323", "0101", "2323"}}};
    uint64_t d = 0;
    for (unsigned k = 0; k < 4; k++) {
        unsigned pick = v[2] >> 4 * k & 7;
        bool sign = v[2] >> 4 * k & 8;
        for (unsigned m = 0; m < 6; m++)
            if (f->word[PTX_CLASS_MODE] == modes[m].mode)
                pick = (unsigned)(modes[m].picks[v[2] % 4][k] - '0'), sign = false;
        const uint64_t byte = (pick < 4 ? v[0] >> 8 * pick : v[1] >> 8 * (pick - 4)) & 0xff;
        d |= (sign ? byte / 128 * 255 : byte) << 8 * k;
    }
    return (struct result){d, 0};
}

/* ---- floats ------------------------------------------------------------------------------------------------------ */
static inline bool ftz(const struct form *f) { return f->word[PTX_CLASS_FTZ]; }
/* Flushes a source of an instruction with .ftz. For f64, such instructions use only the upper word. */
static inline uint64_t input(const struct form *f, uint64_t v) {
    if (!ftz(f)) return v;
    v = flushed(v, f->type);
    return f->type == PTX_F64 ? v >> 32 << 32 : v;
}
static inline struct exact real(const struct form *f, uint64_t v) { return exact_of(input(f, v), f->type); }
static inline enum ptx_mod rounding(const struct form *f) { return (enum ptx_mod)f->word[PTX_CLASS_ROUND]; }
/* Applies .sat: clamps to [0, 1]; NaN and -0 become +0. */
static inline uint64_t to_unit(uint64_t d, enum ptx_type t) {
    if (is_nan_bits(d, t) || d & sign_bit(t)) return 0;
    return d > one_bits(t) ? one_bits(t) : d;
}
static inline struct result done(const struct form *f, struct exact x) {
    uint64_t d = to_bits(x, f->type, rounding(f));
    d = input(f, d);
    if (f->word[PTX_CLASS_RELU] && !is_nan_bits(d, f->type) && d & sign_bit(f->type)) d = 0;
    return (struct result){f->word[PTX_CLASS_SAT] ? to_unit(d, f->type) : d, 0};
}
#define FLOAT(name, expression)                                                                                        \
    static inline struct result ref_##name(const struct form *f, const uint64_t *v) {                                  \
        const struct exact a = real(f, v[0]), b = real(f, v[1]), c = real(f, v[2]);                                    \
        (void)a, (void)b, (void)c;                                                                                     \
        return done(f, expression);                                                                                    \
    }
static inline struct exact minus(struct exact x) {
    x.negative = !x.negative;
    return x;
}
FLOAT(add_flt, plus(a, b, rounding(f)))
FLOAT(sub_flt, plus(a, minus(b), rounding(f)))
FLOAT(mul_flt, times(a, b))
FLOAT(fma_flt, plus(times(a, b), c, rounding(f)))
FLOAT(div_flt, over(a, b))
FLOAT(rcp, over(exact_of(one_bits(f->type), f->type), a))
FLOAT(sqrt, root(a))
static inline bool is_negation(enum ptx_op op) { return op == PTX_OP_neg_flt || op == PTX_OP_neg_half; }
static inline struct result ref_sign(const struct form *f, const uint64_t *v) {
    const uint64_t sign = sign_bit(f->type), a = input(f, v[0]);
    const uint64_t from = f->op == PTX_OP_copysign ? v[0] & sign : is_negation(f->op) ? ~a & sign : 0;
    return (struct result){((f->op == PTX_OP_copysign ? v[1] : a) & ~sign) | from, 0};
}
static inline struct result ref_extreme(const struct form *f, const uint64_t *v) {
    const uint64_t a = input(f, v[0]), b = input(f, v[1]);
    const bool a_nan = is_nan_bits(a, f->type), b_nan = is_nan_bits(b, f->type);
    const bool strict = strstr(ptx_ops[f->op].mnemonic, ".NaN"), smaller = !strncmp(ptx_ops[f->op].mnemonic, "min", 3);
    if (a_nan || b_nan) return (struct result){(a_nan && b_nan) || strict ? nan_bits(f->type) : a_nan ? b : a, 0};
    int64_t x = order_of(a, f->type), y = order_of(b, f->type);
    if (x == y) x = -(int64_t)(a >> (width(f) - 1)), y = -(int64_t)(b >> (width(f) - 1)); /* -0 is less than +0 */
    return (struct result){(x < y) == smaller ? a : b, 0};
}
static inline struct result ref_testp(const struct form *f, const uint64_t *v) {
    const uint64_t a = v[0] & ~sign_bit(f->type), infinity = infinity_bits(f->type);
    const bool number = a <= infinity, subnormal = is_subnormal_bits(a, f->type);
    switch ((enum ptx_mod)f->word[PTX_CLASS_MODE]) {
    case PTX_MOD_FINITE: return (struct result){a < infinity, 0};
    case PTX_MOD_INFINITE: return (struct result){a == infinity, 0};
    case PTX_MOD_NUMBER: return (struct result){number, 0};
    case PTX_MOD_NOTANUMBER: return (struct result){!number, 0};
    case PTX_MOD_SUBNORMAL: return (struct result){subnormal, 0};
    default: return (struct result){a < infinity && !subnormal, 0}; /* zeros are normal */
    }
}
/* Computes functions that PTX approximates, in long double. Callers accept an error in the last digit. */
static inline struct result by_function(const struct form *f, const uint64_t *v, long double (*function)(long double)) {
    const uint64_t a = to_bits(real(f, v[0]), PTX_F64, PTX_MOD_RN);
    uint64_t d = 0;
    double x;
    float narrow;
    memcpy(&x, &a, 8);
    if (f->type == PTX_F32) {
        narrow = (float)function(x);
        memcpy(&d, &narrow, 4);
    } else {
        x = (double)function(x);
        memcpy(&d, &x, 8);
        if (f->type != PTX_F64) d = to_bits(exact_of(d, PTX_F64), f->type, PTX_MOD_RN);
    }
    return (struct result){input(f, d), 0};
}
static inline long double reciprocal_root(long double x) { return 1 / sqrtl(x); }
static inline struct result ref_rsqrt(const struct form *f, const uint64_t *v) {
    return by_function(f, v, reciprocal_root);
}
static inline struct result ref_sin(const struct form *f, const uint64_t *v) { return by_function(f, v, sinl); }
static inline struct result ref_cos(const struct form *f, const uint64_t *v) { return by_function(f, v, cosl); }
static inline struct result ref_lg2(const struct form *f, const uint64_t *v) { return by_function(f, v, log2l); }
static inline struct result ref_ex2(const struct form *f, const uint64_t *v) { return by_function(f, v, exp2l); }
static inline struct result ref_tanh(const struct form *f, const uint64_t *v) { return by_function(f, v, tanhl); }

/* Operations on narrow floats, separately for the two numbers of a pair. */
#define HALVES(id, single)                                                                                             \
    static inline struct result ref_##id(const struct form *f, const uint64_t *v) {                                    \
        return by_halves(f, v, ref_##single);                                                                          \
    }
static inline struct result by_halves(const struct form *f, const uint64_t *v, reference *single) {
    struct form g = *f;
    struct result pair = {0, 0};
    if (!is_pair_type(f->type)) return single(f, v);
    g.type = single_type(f->type);
    for (unsigned part = 0; part < 2; part++) {
        uint64_t one[3];
        for (unsigned k = 0; k < 3; k++) one[k] = v[k] >> 16 * part & 0xffff;
        pair.first |= single(&g, one).first << 16 * part;
    }
    return pair;
}
HALVES(add_half, add_flt)
HALVES(sub_half, sub_flt)
HALVES(mul_half, mul_flt)
HALVES(fma_half, fma_flt)
HALVES(sign_half, sign)
HALVES(extreme_half, extreme)
HALVES(ex2_half, ex2)
HALVES(tanh_half, tanh)

static inline struct result ref_cvt_pair(const struct form *f, const uint64_t *v) {
    struct form g = *f;
    g.type = single_type(f->type);
    const uint64_t high = done(&g, exact_of(v[0], PTX_F32)).first;
    return (struct result){high << 16 | done(&g, exact_of(v[1], PTX_F32)).first, 0};
}

/* Returns the number that a byte represents, according to the formats' tables (OCP, "8-bit Floating Point
 * Specification"). */
static inline double value_of_fp8(unsigned code, enum ptx_type t) {
    const unsigned fraction = t == PTX_E4M3X2 ? 3 : 2, bias = t == PTX_E4M3X2 ? 7 : 15;
    const unsigned field = (code & 127) >> fraction, rest = code & ((1u << fraction) - 1);
    double unit = 1; /* value of the last place */
    for (unsigned k = field ? field : 1; k < bias + fraction; k++) unit /= 2;
    for (unsigned k = bias + fraction; k < field; k++) unit *= 2;
    const double v = unit * (double)(rest + (field ? 1u << fraction : 0));
    return code & 128 ? -v : v;
}
static inline unsigned largest_fp8(enum ptx_type t) { return t == PTX_E4M3X2 ? 0x7e : 0x7b; }
/* Compares all codes and returns that of the nearest number. */
static inline uint64_t nearest_fp8(double x, enum ptx_type t, bool relu) {
    unsigned best = 0;
    const bool negative = __builtin_signbit(x);
    const double magnitude = negative ? -x : x;
    if (x != x) return 0x7f;
    if (relu && negative) return 0;
    for (unsigned code = 0; code <= largest_fp8(t); code++) {
        const double far = magnitude - value_of_fp8(code, t), so_far = magnitude - value_of_fp8(best, t);
        const double a = far < 0 ? -far : far, b = so_far < 0 ? -so_far : so_far;
        if (a < b || (a == b && code % 2 == 0)) best = code;
    }
    if (magnitude > value_of_fp8(largest_fp8(t), t)) best = largest_fp8(t);
    return best | (negative ? 128 : 0);
}
static inline double double_of_f32(uint64_t v) {
    const uint32_t bits = (uint32_t)v;
    float f;
    memcpy(&f, &bits, 4);
    return (double)f;
}
static inline struct result ref_cvt_fp8(const struct form *f, const uint64_t *v) {
    const bool relu = f->word[PTX_CLASS_RELU];
    return (struct result){
        nearest_fp8(double_of_f32(v[0]), f->type, relu) << 8 | nearest_fp8(double_of_f32(v[1]), f->type, relu), 0};
}
/* Returns the float with the value of a half. */
static inline uint64_t float_of_half(uint64_t v) { return to_bits(exact_of(v & 0xffff, PTX_F16), PTX_F32, PTX_MOD_RN); }
static inline struct result ref_cvt_fp8_halves(const struct form *f, const uint64_t *v) {
    const uint64_t floats[2] = {float_of_half(v[0] >> 16), float_of_half(v[0])};
    return ref_cvt_fp8(f, floats);
}
/* Compares all halves and returns the one whose value is that of the code, or 0x7fff if there is none. */
static inline uint64_t half_of_code(unsigned code, enum ptx_type t) {
    static uint16_t found[2][128];
    uint16_t *half = &found[t == PTX_E4M3X2][code];
    if (code > largest_fp8(t)) return t == PTX_E5M2X2 && code == 0x7c ? 0x7c00 : 0x7fff;
    for (unsigned h = 1; code && !*half && h < 0x7c00; h++)
        if (double_of_f32(float_of_half(h)) == value_of_fp8(code, t)) *half = (uint16_t)h;
    return *half;
}
static inline struct result ref_cvt_halves_fp8(const struct form *f, const uint64_t *v) {
    uint64_t d = 0;
    for (unsigned k = 0; k < 2; k++) {
        const unsigned code = v[0] >> 8 * k & 255;
        uint64_t half = half_of_code(code & 127, f->type2);
        if (half != 0x7fff && code & 128) half = f->word[PTX_CLASS_RELU] ? 0 : half | 0x8000;
        d |= half << 16 * k;
    }
    return (struct result){d, 0};
}
static inline struct result ref_cvt_tf32(const struct form *f, const uint64_t *v) {
    struct exact x = exact_of(v[0], PTX_F32);
    const bool satfinite = f->word[PTX_CLASS_SATFINITE], negative = x.negative;
    const bool away = f->word[PTX_CLASS_ROUND] == PTX_MOD_RNA;
    if (x.kind == NO_NUMBER && !away) return (struct result){0x7fffe000, 0};
    if (f->word[PTX_CLASS_RELU] && negative) return (struct result){0, 0};
    uint64_t d = v[0] & 0x7fffffff;
    if (x.kind == FINITE) {
        const uint64_t rest = d % 8192, base = d - rest; /* the 13 bits to round off */
        const bool up = f->word[PTX_CLASS_ROUND] == PTX_MOD_RNA  ? rest >= 4096
                        : f->word[PTX_CLASS_ROUND] == PTX_MOD_RN ? rest > 4096 || (rest == 4096 && base / 8192 % 2)
                                                                 : false;
        d = base + (up ? 8192 : 0);
    }
    if (x.kind == NO_NUMBER) d = d / 8192 * 8192;   /* an H200 truncates NaNs */
    if (satfinite && d >= 0x7f800000) d = d - 8192; /* an H200 then treats NaN as infinity */
    return (struct result){d | (negative ? 0x80000000 : 0), 0};
}

/* ---- comparison and selection ------------------------------------------------------------------------------------ */
/* Returns -1, 0 or 1, or 2 if the numbers are unordered. */
static inline int compared(enum ptx_type t, bool flush, uint64_t a, uint64_t b) {
    if (flush && is_float_type(t)) a = flushed(a, t), b = flushed(b, t);
    if (is_float_type(t)) {
        if (is_nan_bits(a, t) || is_nan_bits(b, t)) return 2;
        const int64_t x = order_of(a, t), y = order_of(b, t);
        return (x > y) - (x < y);
    }
    const int128 x = extended(a, ptx_type_bits(t), is_signed_type(t)),
                 y = extended(b, ptx_type_bits(t), is_signed_type(t));
    return (x > y) - (x < y);
}
/* Returns whether the comparison holds for this outcome. Each row lists the outcomes: `<` less, `=` equal, `>`
 * greater, `?` unordered. */
static inline bool holds(enum ptx_mod cmp, int outcome) {
    static const struct {
        enum ptx_mod cmp;
        const char *where;
    } table[] = {{PTX_MOD_EQ, "="},        {PTX_MOD_NE, "<>"},    {PTX_MOD_LT, "<"},     {PTX_MOD_LE, "<="},
                 {PTX_MOD_GT, ">"},        {PTX_MOD_GE, ">="},    {PTX_MOD_CMP_LO, "<"}, {PTX_MOD_LS, "<="},
                 {PTX_MOD_CMP_HI, ">"},    {PTX_MOD_HS, ">="},    {PTX_MOD_EQU, "=?"},   {PTX_MOD_NEU, "<>?"},
                 {PTX_MOD_LTU, "<?"},      {PTX_MOD_LEU, "<=?"},  {PTX_MOD_GTU, ">?"},   {PTX_MOD_GEU, ">=?"},
                 {PTX_MOD_CMP_NUM, "<=>"}, {PTX_MOD_CMP_NAN, "?"}};
    for (unsigned k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].cmp == cmp) return strchr(table[k].where, "<=>?"[outcome + 1]);
    return false;
}
static inline bool combined_with(const struct form *f, bool truth, uint64_t c) {
    switch ((enum ptx_mod)f->word[PTX_CLASS_OPERATION]) {
    case PTX_MOD_AND: return truth && c;
    case PTX_MOD_OR: return truth || c;
    case PTX_MOD_XOR: return truth != (c != 0);
    default: return truth;
    }
}
/* Compares two numbers, or the parts with index `part` of two pairs. */
static inline bool comparison(const struct form *f, enum ptx_type t, const uint64_t *v, unsigned part) {
    const uint64_t bits = is_pair_type(t) ? 0xffff : UINT64_MAX;
    const int outcome = compared(single_type(t), ftz(f), v[0] >> 16 * part & bits, v[1] >> 16 * part & bits);
    return holds((enum ptx_mod)f->word[PTX_CLASS_CMP], outcome);
}
static inline struct result ref_setp(const struct form *f, const uint64_t *v) {
    const bool first = comparison(f, f->type, v, 0),
               second = is_pair_type(f->type) ? comparison(f, f->type, v, 1) : !first;
    return (struct result){combined_with(f, first, v[2]), combined_with(f, second, v[2])};
}
static inline struct result ref_set(const struct form *f, const uint64_t *v) {
    const enum ptx_type to = single_type(f->type);
    const uint64_t on = is_float_type(to) ? one_bits(to) : is_pair_type(f->type2) ? 0xffff : 0xffffffff;
    uint64_t d = 0;
    for (unsigned part = 0; part < (is_pair_type(f->type2) ? 2 : 1); part++)
        if (combined_with(f, comparison(f, f->type2, v, part), v[2])) d |= on << 16 * part;
    return (struct result){d, 0};
}
static inline struct result ref_selp(const struct form *f, const uint64_t *v) {
    (void)f;
    return (struct result){v[2] ? v[0] : v[1], 0};
}
static inline struct result ref_slct(const struct form *f, const uint64_t *v) {
    const int outcome = compared(f->type2, ftz(f), v[2], 0);
    return (struct result){outcome == 0 || outcome == 1 ? v[0] : v[1], 0};
}

#endif
