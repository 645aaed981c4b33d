// Says a register of 64 bits to be one of 32.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned long long x;
    asm volatile("mov.u32 %0, %1;" : "=l"(x) : "l"(data));
    partial[0] = (value_t)x;
}
