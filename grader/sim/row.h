/* Reads and writes one lane's value in the row of a register, which has 32 elements of 16, 32 or 64 bits. */
#ifndef SIM_ROW_H
#define SIM_ROW_H

#include <stdint.h>

static inline uint64_t row_bits(const void *row, unsigned bits, unsigned l) {
    return bits <= 16   ? ((const uint16_t *)row)[l]
           : bits == 32 ? ((const uint32_t *)row)[l]
                        : ((const uint64_t *)row)[l];
}
static inline void set_row_bits(void *row, unsigned bits, unsigned l, uint64_t value) {
    if (bits <= 16)
        ((uint16_t *)row)[l] = (uint16_t)value;
    else if (bits == 32)
        ((uint32_t *)row)[l] = (uint32_t)value;
    else
        ((uint64_t *)row)[l] = value;
}

#endif
