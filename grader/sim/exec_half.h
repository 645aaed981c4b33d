/* Helpers for 16-bit floats (base/narrow.h). Included by exec.c, matrix.c and texture.c. */
#include "base/narrow.h"

/* For each type: its elements per lane, and the functions that convert an element to and from double. */
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

/* Returns a*b + c for narrow floats. The product is exact. The sum is rounded to odd: if it is inexact, its last bit is
 * set. The next rounding, to the narrow type, then cannot mistake the sum for a tie. See Boldo and Melquiond,
 * "Emulation of FMA and correctly rounded sums", 2008. */
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
