// Declares almost as much local memory as a variable may have.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    volatile char big[500000];
    for (unsigned k = 0; k < 500000; k += 64) big[k] = (char)k;
    if (threadIdx.x == 0) partial[blockIdx.x] = big[n] + data[0];
}
