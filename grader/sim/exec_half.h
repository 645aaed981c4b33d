/* Narrow floats: IEEE half (f16: 10 fraction bits, minimum exponent -14) and bfloat16 (7, -126). They are computed as
 * doubles and rounded once. Part of exec.c. */

static inline double widened_f16(uint16_t h) {
    uint32_t bits = (h & 0x7fffu) << 13; /* the value times 2^-112, as a float */
    float f;
    memcpy(&f, &bits, 4);
    f *= 0x1p112f;
    memcpy(&bits, &f, 4);
    bits |= (h & 0x8000u) << 16 | ((h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0);
    memcpy(&f, &bits, 4);
    return (double)f;
}
static inline double widened_bf16(uint16_t h) {
    const uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, 4);
    return (double)f;
}
/* x rounded once, in the host's rounding mode: adds a number so large that the last place of the sum is that of the
 * result; the low bits of the sum are then the fraction, including its carry. NaN gives 7fff. */
static inline uint16_t narrowed(double x, unsigned fraction, int lowest) {
    const uint64_t sign = UINT64_C(1) << 63, infinite = UINT64_C(0x7ff) << 52, fraction_of_64 = (UINT64_C(1) << 52) - 1;
    const uint64_t least = (uint64_t)(1023 + lowest), past = (uint64_t)(1025 - lowest) << 52;
    uint64_t bits, sum;
    memcpy(&bits, &x, 8);
    const uint64_t magnitude = bits & ~sign;
    bits = magnitude < past ? bits : (bits & sign) | (past - 1); /* overflow rounds to the largest number or to
                                                                    infinity */
    const uint64_t field = (bits & ~sign) >> 52, exponent = field < least ? least : field;
    const uint64_t added = (bits & sign) | (exponent + 52 - fraction) << 52;
    double of_bits, of_added;
    memcpy(&of_bits, &bits, 8), memcpy(&of_added, &added, 8);
    of_bits += of_added;
    memcpy(&sum, &of_bits, 8);
    uint32_t out = (uint32_t)(sum & fraction_of_64) + ((uint32_t)(exponent - least) << fraction);
    out = magnitude == infinite ? 0x7fffu >> fraction << fraction : out;
    return (uint16_t)(magnitude > infinite ? 0x7fffu : (uint32_t)(bits >> 48 & 0x8000) | out);
}
static inline uint16_t narrowed_f16(double x) { return narrowed(x, 10, -14); }
static inline uint16_t narrowed_bf16(double x) { return narrowed(x, 7, -126); }
static inline uint16_t flushed_f16(uint16_t h) { return h & 0x7c00 ? h : h & 0x8000; }
static inline uint16_t flushed_bf16(uint16_t h) { return h & 0x7f80 ? h : h & 0x8000; }

/* How many numbers of a type a lane holds, and how they are read and written. */
#define A_LANE_F16 1
#define A_LANE_BF16 1
#define A_LANE_F16X2 2
#define A_LANE_BF16X2 2
#define widened_F16 widened_f16
#define widened_BF16 widened_bf16
#define widened_F16X2 widened_f16
#define widened_BF16X2 widened_bf16
#define narrowed_F16 narrowed_f16
#define narrowed_BF16 narrowed_bf16
#define narrowed_F16X2 narrowed_f16
#define narrowed_BF16X2 narrowed_bf16
#define ftz_widened_F16(x) widened_f16(flushed_f16(x))
#define ftz_widened_BF16(x) widened_bf16(flushed_bf16(x))
#define ftz_widened_F16X2 ftz_widened_F16
#define ftz_widened_BF16X2 ftz_widened_BF16
#define ftz_narrowed_F16(x) flushed_f16(narrowed_f16(x))
#define ftz_narrowed_BF16(x) flushed_bf16(narrowed_bf16(x))
#define ftz_narrowed_F16X2 ftz_narrowed_F16
#define ftz_narrowed_BF16X2 ftz_narrowed_BF16

/* a*b + c of narrow floats with exact a*b, rounded to odd: if the sum is inexact, its last bit is set, so that the next
 * rounding sees that it is not a tie. (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008.) */
static inline double fused_to_odd(double a, double b, double c) {
    const double product = a * b, sum = product + c;
    const double of_c = sum - product, lost = (product - (sum - of_c)) + (c - of_c);
    uint64_t bits;
    memcpy(&bits, &sum, 8);
    const bool fix = lost != 0 && !(bits & 1) && fabs(sum) < (double)INFINITY;
    bits += !fix ? 0 : (lost > 0) == (sum > 0) ? 1 : UINT64_MAX;
    double odd;
    memcpy(&odd, &bits, 8);
    return odd;
}
