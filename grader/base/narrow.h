/* Narrow floats: IEEE half (f16: 10 fraction bits, minimum exponent -14) and bfloat16 (7 fraction bits, minimum
 * exponent -126). Computations use doubles, and their results are rounded once. */
#ifndef BASE_NARROW_H
#define BASE_NARROW_H

#include <stdint.h>
#include <string.h>

/* Converts a half to a double. Avoids operations on subnormal floats, which are much slower than other
 * operations. */
static inline double widened_f16(uint16_t h) {
    const uint64_t exponent = h >> 10 & 31, fraction = h & 0x3ff;
    const double subnormal = (double)(int)fraction * 0x1p-24;
    uint64_t bits = (exponent == 31 ? UINT64_C(0x7ff) : exponent + 1023 - 15) << 52 | fraction << 42;
    if (!exponent) memcpy(&bits, &subnormal, 8);
    bits |= (uint64_t)(h & 0x8000u) << 48;
    double x;
    memcpy(&x, &bits, 8);
    return x;
}
static inline double widened_bf16(uint16_t h) {
    const uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, 4);
    return (double)f;
}
/* Rounds x to a float with `fraction` fraction bits and the minimum exponent `lowest`, in the host's rounding mode. To
 * do so, adds a number so large that the last place of the sum is the last place of the result. The low bits of the sum
 * are then the fraction, including its carry. A NaN becomes 7fff. */
static inline uint16_t narrowed(double x, unsigned fraction, int lowest) {
    const uint64_t sign = UINT64_C(1) << 63, infinite = UINT64_C(0x7ff) << 52, fraction_of_64 = (UINT64_C(1) << 52) - 1;
    const uint64_t least = (uint64_t)(1023 + lowest), past = (uint64_t)(1025 - lowest) << 52;
    uint64_t bits, sum;
    memcpy(&bits, &x, 8);
    const uint64_t magnitude = bits & ~sign;
    /* Clamps a value that overflows, so that the rounding below yields the largest finite number or infinity. */
    bits = magnitude < past ? bits : (bits & sign) | (past - 1);
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
/* Replace a subnormal number with a zero of the same sign. */
static inline uint16_t flushed_f16(uint16_t h) { return h & 0x7c00 ? h : h & 0x8000; }
static inline uint16_t flushed_bf16(uint16_t h) { return h & 0x7f80 ? h : h & 0x8000; }

#endif
