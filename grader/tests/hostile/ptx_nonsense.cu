// Contains text that is not an instruction.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    asm volatile("frobnicate.u32 %%r1, 5;");
    partial[0] = data[0];
}
