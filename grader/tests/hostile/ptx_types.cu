// Uses a 64-bit register in a 32-bit instruction.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned long long x;
    asm volatile("mov.u32 %0, %1;" : "=l"(x) : "l"(data));
    partial[0] = (value_t)x;
}
