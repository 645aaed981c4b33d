/* Packs pairs of 16-bit elements, rounded to nearest with ties to even. */
#include "base/narrow.h"
#include "ladder/ladder.h"
#include <stdlib.h>

uint32_t *ladder_pairs(enum ladder_format format, const float *data, uint32_t n) {
    uint32_t *words = calloc((size_t)n / 2 + 1, sizeof *words);
    for (uint32_t k = 0; words && k < n; k++)
        words[k / 2] |= (uint32_t)(format == LADDER_F16 ? narrowed_f16(data[k]) : narrowed_bf16(data[k]))
                        << 16 * (k % 2);
    return words;
}
