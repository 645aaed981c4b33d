// Unrolls a loop a million times.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    #pragma unroll
    for (int k = 0; k < 1000000; k++) asm volatile("membar.gl;");
    partial[0] = data[0];
}
