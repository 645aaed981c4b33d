// Behaves differently in each run.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned x;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(x));
    partial[blockIdx.x] = (value_t)x;
}
