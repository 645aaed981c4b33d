/* 16-bit elements, rounded to nearest, ties to even. */
#include "ladder/ladder.h"
#include <stdlib.h>
#include <string.h>

/* `bits` without its last `drop` bits. */
static uint32_t rounded(uint32_t bits, unsigned drop) {
    const uint32_t half = UINT32_C(1) << (drop - 1), odd = bits >> drop & 1;
    return (bits + half - 1 + odd) >> drop;
}
static uint32_t bf16(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return rounded(bits, 16); /* a carry goes into the exponent, up to infinity */
}
static uint32_t f16(float x) {
    enum { SMALLEST = 113 << 23, REBASE = 112 << 23 }; /* 2^-14; the difference of the exponents' biases */
    uint32_t bits;
    memcpy(&bits, &x, 4);
    const uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff, exponent = size >> 23;
    if (exponent < 102) return sign; /* below half of the smallest one, 2^-24 */
    if (size < SMALLEST) return sign | rounded((size & 0x7fffff) | 0x800000, 126 - exponent);
    const uint32_t near = rounded(size - REBASE, 13);
    return sign | (near < 0x7c00 ? near : 0x7c00); /* else infinity */
}
uint32_t *ladder_pairs(enum ladder_format format, const float *data, uint32_t n) {
    uint32_t *words = calloc((size_t)n / 2 + 1, sizeof *words);
    for (uint32_t k = 0; words && k < n; k++)
        words[k / 2] |= (format == LADDER_F16 ? f16(data[k]) : bf16(data[k])) << 16 * (k % 2);
    return words;
}
