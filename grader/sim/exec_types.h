/* The C types of PTX types, and scalar helpers for the expressions in ops.def. Included by exec.c. */
#define C_B16 uint16_t
#define C_B32 uint32_t
#define C_B64 uint64_t
#define C_U8 uint8_t
#define C_U16 uint16_t
#define C_U32 uint32_t
#define C_U64 uint64_t
#define C_S8 int8_t
#define C_S16 int16_t
#define C_S32 int32_t
#define C_S64 int64_t
#define C_F32 float
#define C_F64 double
/* The unsigned type of the same size. */
#define U_B16 uint16_t
#define U_B32 uint32_t
#define U_B64 uint64_t
#define U_U16 uint16_t
#define U_U32 uint32_t
#define U_U64 uint64_t
#define U_S16 uint16_t
#define U_S32 uint32_t
#define U_S64 uint64_t
#define U_F32 uint32_t
#define U_F64 uint64_t
/* The type of twice the size. */
#define W_U16 uint32_t
#define W_S16 int32_t
#define W_U32 uint64_t
#define W_S32 int64_t

/* Flushes a subnormal number to a zero of the same sign. */
static inline float flushed_f32(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x; }
static inline double flushed_f64(double x) { return fabs(x) < 0x1p-1022 ? copysign(0.0, x) : x; }
#define ftz_(x) _Generic((x), float : flushed_f32, double : flushed_f64)(x)

/* ---- integers ------------------------------------------------------------------------------- */
#define INTEGER_HELPERS(T, U, W, name)                                                                                 \
    static inline T mul_hi_##name(T a, T b) { return (T)(((W)a * (W)b) >> (8 * sizeof(T))); }                          \
    static inline T div_##name(T a, T b) {                                                                             \
        return b == 0 ? (T) ~(T)0 : (T)-1 < 0 && b == (T)-1 ? (T)(0 - (U)a) : (T)(a / b);                              \
    }                                                                                                                  \
    static inline T rem_##name(T a, T b) { return b == 0 ? a : (T)-1 < 0 && b == (T)-1 ? (T)0 : (T)(a % b); }
INTEGER_HELPERS(uint16_t, uint16_t, uint32_t, u16)
INTEGER_HELPERS(int16_t, uint16_t, int32_t, s16)
/* 32-bit division through double, for which the host has vector instructions. The result is exact. A quotient just
 * below an integer k differs from k by at least 1 / b > k / 2^32, but rounding changes it by less than k / 2^52. */
#define DIVISION_BY_DOUBLE(T, U, W, name)                                                                              \
    static inline T mul_hi_##name(T a, T b) { return (T)(((W)a * (W)b) >> 32); }                                       \
    static inline T div_##name(T a, T b) {                                                                             \
        const bool wraps = (T)-1 < 0 && b == (T)-1;                                                                    \
        const T quotient = (T)((double)a / (double)(b == 0 || wraps ? 1 : b));                                         \
        return b == 0 ? (T) ~(T)0 : wraps ? (T)(0 - (U)a) : quotient;                                                  \
    }                                                                                                                  \
    static inline T rem_##name(T a, T b) { return b == 0 ? a : (T)((U)a - (U)div_##name(a, b) * (U)b); }
DIVISION_BY_DOUBLE(uint32_t, uint32_t, uint64_t, u32)
DIVISION_BY_DOUBLE(int32_t, uint32_t, int64_t, s32)
INTEGER_HELPERS(uint64_t, uint64_t, unsigned __int128, u64)
INTEGER_HELPERS(int64_t, uint64_t, __int128, s64)
#define BY_INTEGER(f, x)                                                                                               \
    _Generic((x), uint16_t                                                                                             \
             : f##_u16, int16_t                                                                                        \
             : f##_s16, uint32_t                                                                                       \
             : f##_u32, int32_t                                                                                        \
             : f##_s32, uint64_t                                                                                       \
             : f##_u64, int64_t                                                                                        \
             : f##_s64)
#define mul_hi(a, b) BY_INTEGER(mul_hi, a)(a, b)
#define div_int(a, b) BY_INTEGER(div, a)(a, b)
#define rem_int(a, b) BY_INTEGER(rem, a)(a, b)

/* The low 24 bits, sign- or zero-extended to 64 bits. */
static inline int64_t low24_s(int32_t a) { return (int64_t)((uint64_t)(uint32_t)a << 40) >> 40; }
static inline int64_t low24_u(uint32_t a) { return a & 0xffffff; }
#define low24(a) _Generic((a), int32_t : low24_s, uint32_t : low24_u)(a)

static inline uint32_t popcount_32(uint32_t a) { return (uint32_t)__builtin_popcount(a); }
static inline uint32_t popcount_64(uint64_t a) { return (uint32_t)__builtin_popcountll(a); }
#define popcount(a) _Generic((a), uint32_t : popcount_32, uint64_t : popcount_64)(a)
static inline uint32_t clz_32(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32; }
static inline uint32_t clz_64(uint64_t a) { return a ? (uint32_t)__builtin_clzll(a) : 64; }
#define count_leading_zeros(a) _Generic((a), uint32_t : clz_32, uint64_t : clz_64)(a)
static inline uint32_t leading_u32(uint32_t a) { return a ? 31 - clz_32(a) : UINT32_MAX; }
static inline uint32_t leading_s32(int32_t a) { return leading_u32((uint32_t)(a < 0 ? ~a : a)); }
static inline uint32_t leading_u64(uint64_t a) { return a ? 63 - clz_64(a) : UINT32_MAX; }
static inline uint32_t leading_s64(int64_t a) { return leading_u64((uint64_t)(a < 0 ? ~a : a)); }
#define find_leading(a)                                                                                                \
    _Generic((a), uint32_t : leading_u32, int32_t : leading_s32, uint64_t : leading_u64, int64_t : leading_s64)(a)
#define find_leading_shift(a)                                                                                          \
    (find_leading(a) == UINT32_MAX ? UINT32_MAX : (uint32_t)(8 * sizeof(a) - 1) - find_leading(a))
static inline uint32_t reverse_32(uint32_t a) {
    a = ((a >> 1) & 0x55555555u) | ((a & 0x55555555u) << 1);
    a = ((a >> 2) & 0x33333333u) | ((a & 0x33333333u) << 2);
    a = ((a >> 4) & 0x0f0f0f0fu) | ((a & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(a);
}
static inline uint64_t reverse_64(uint64_t a) {
    return (uint64_t)reverse_32((uint32_t)a) << 32 | reverse_32((uint32_t)(a >> 32));
}
#define reverse_bits(a) _Generic((a), uint32_t : reverse_32, uint64_t : reverse_64)(a)

/* bfe: position and length are taken modulo 256. In a signed field, bits above the top bit of `a` repeat the sign (PTX
 * ISA, bfe). */
#define BIT_FIELD(T, U, name)                                                                                          \
    static inline T extract_##name(T a, uint32_t position, uint32_t length) {                                          \
        uint32_t bits = 8 * sizeof(T), pos = position & 0xff, len = length & 0xff;                                     \
        uint32_t top = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;                                            \
        U sign = (T)-1 < 0 && len ? ((U)a >> top) & 1 : 0;                                                             \
        U field = pos < bits ? (U)a >> pos : 0;                                                                        \
        uint32_t have = pos < bits ? bits - pos : 0, keep = len < have ? len : have;                                   \
        U low = keep >= bits ? (U) ~(U)0 : ((U)1 << keep) - 1;                                                         \
        return (T)((field & low) | (sign ? (U)~low : 0));                                                              \
    }
BIT_FIELD(uint32_t, uint32_t, u32)
BIT_FIELD(int32_t, uint32_t, s32)
BIT_FIELD(uint64_t, uint64_t, u64)
BIT_FIELD(int64_t, uint64_t, s64)
#define bit_field_extract(a, b, c)                                                                                     \
    _Generic((a), uint32_t : extract_u32, int32_t : extract_s32, uint64_t : extract_u64, int64_t : extract_s64)(a, b, c)
#define BIT_INSERT(U, name)                                                                                            \
    static inline U insert_##name(U a, U b, uint32_t position, uint32_t length) {                                      \
        uint32_t bits = 8 * sizeof(U), pos = position & 0xff, len = length & 0xff;                                     \
        if (pos >= bits || !len) return b;                                                                             \
        U low = len >= bits ? (U) ~(U)0 : ((U)1 << len) - 1;                                                           \
        return (b & ~(low << pos)) | ((a & low) << pos);                                                               \
    }
BIT_INSERT(uint32_t, 32)
BIT_INSERT(uint64_t, 64)
#define bit_field_insert(a, b, c, e) _Generic((a), uint32_t : insert_32, uint64_t : insert_64)(a, b, c, e)

/* Returns a mask of `length` bits from bit `position`. Both are at most 32. */
static inline uint32_t bit_mask(uint32_t position, uint32_t length) {
    return (uint32_t)(((UINT64_C(1) << length) - 1) << position);
}
/* Returns the low `bits` bits (0 to 31), with sign or zero extension as the type requires. */
static inline uint32_t extend_u32(uint32_t a, uint32_t bits) { return a & bit_mask(0, bits); }
static inline uint32_t extend_s32(int32_t a, uint32_t bits) {
    return bits && (uint32_t)a >> (bits - 1) & 1 ? (uint32_t)a | ~bit_mask(0, bits) : extend_u32((uint32_t)a, bits);
}
#define extend_field(a, bits) _Generic((a), uint32_t : extend_u32, int32_t : extend_s32)(a, bits)

/* fns: an offset of 0 tests the bit at `base` itself (PTX ISA, fns). */
static inline uint32_t find_nth_set(uint32_t a, uint32_t base, uint32_t offset) {
    const int step = (int32_t)offset < 0 ? -1 : 1;
    uint32_t left = step < 0 ? 0 - offset : offset ? offset : 1;
    if (base > 31) return UINT32_MAX;
    for (int at = (int)base; at >= 0 && at < 32; at += step) {
        if (a >> at & 1 && --left == 0) return (uint32_t)at;
        if (!offset) break;
    }
    return UINT32_MAX;
}

#define shift_right(a, b) ((b) < 8 * sizeof(T) ? (T)((a) >> (b)) : (T)((a) < 0 ? -1 : 0))
static inline uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t n) {
    return (uint32_t)(((uint64_t)b << 32 | a) << n >> 32);
}
static inline uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t n) {
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}

/* ---- floating point ------------------------------------------------------------------------- */
/* Returns the operand x if it is a NaN, with its quiet bit set, else `result`. On an H200 (measured), an f64
 * instruction returns its second operand if that is a NaN, else the third, else the first. The NaN keeps its sign. NaNs
 * of f32 instructions do not matter: RESULT() replaces them. */
static inline double nan_or_(double x, double result) {
    uint64_t bits;
    memcpy(&bits, &x, 8), bits |= UINT64_C(1) << 51;
    double quiet;
    memcpy(&quiet, &bits, 8);
    return x != x ? quiet : result;
}
static inline float nan_or_f(float x, float result) { return (void)x, result; }
#define FLOAT_HELPERS(T, s)                                                                                            \
    static inline T sum_##s(T a, T b) { return nan_or_##s(b, a + b); }                                                 \
    static inline T difference_##s(T a, T b) { return nan_or_##s(b, a - b); }                                          \
    static inline T product_##s(T a, T b) { return nan_or_##s(b, a * b); }                                             \
    static inline T fused_##s(T a, T b, T c) { return nan_or_##s(b, nan_or_##s(c, __builtin_fma##s(a, b, c))); }       \
    static inline T absolute_##s(T a) { return nan_or_##s(a, __builtin_fabs##s(a)); }                                  \
    static inline T negated_##s(T a) { return nan_or_##s(a, -a); }                                                     \
    static inline T square_root_##s(T a) { return __builtin_sqrt##s(a); }                                              \
    static inline T copy_sign_##s(T a, T b) { return __builtin_copysign##s(a, b); }                                    \
    static inline T min_##s(T a, T b) {                                                                                \
        return a != a ? nan_or_##s(b, b) : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;                       \
    }                                                                                                                  \
    static inline T max_##s(T a, T b) {                                                                                \
        return a != a ? nan_or_##s(b, b) : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;                      \
    }
FLOAT_HELPERS(float, f)
FLOAT_HELPERS(double, )
/* Returns x without its lower 32 bits, and with subnormal numbers flushed to zero. rcp.approx.ftz.f64 and
 * rsqrt.approx.ftz.f64 read their operand in this form (PTX ISA). */
static inline double upper_word(double x) {
    uint64_t bits;
    x = ftz_(x);
    memcpy(&bits, &x, 8), bits &= UINT64_C(0xffffffff00000000);
    memcpy(&x, &bits, 8);
    return x;
}
/* Returns the result x of rcp.approx.ftz.f64 or rsqrt.approx.ftz.f64. An H200's NaN is 0x7fffffff00000000
 * (measured). */
static inline double upper_result(double x) {
    const uint64_t nan = UINT64_C(0x7fffffff00000000);
    if (x == x) return upper_word(x);
    memcpy(&x, &nan, 8);
    return x;
}
static inline float the_nan(float x) { return x == x ? x : __builtin_nanf("0x3fffff"); }
#define BY_FLOAT(f, x) _Generic((x), float : f##_f, double : f##_)
#define fused(a, b, c) BY_FLOAT(fused, a)(a, b, c)
#define absolute(a) BY_FLOAT(absolute, a)(a)
#define negated(a) BY_FLOAT(negated, a)(a)
#define sum(a, b) BY_FLOAT(sum, a)(a, b)
#define difference(a, b) BY_FLOAT(difference, a)(a, b)
#define product(a, b) BY_FLOAT(product, a)(a, b)
#define square_root(a) BY_FLOAT(square_root, a)(a)
#define copy_sign(a, b) BY_FLOAT(copy_sign, a)(a, b)
#define float_min(a, b) BY_FLOAT(min, a)(a, b)
#define float_max(a, b) BY_FLOAT(max, a)(a, b)
#define float_min_nan(a, b) ((a) != (a) || (b) != (b) ? (T)NAN : BY_FLOAT(min, a)(a, b))
#define float_max_nan(a, b) ((a) != (a) || (b) != (b) ? (T)NAN : BY_FLOAT(max, a)(a, b))
