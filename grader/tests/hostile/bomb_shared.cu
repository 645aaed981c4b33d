// Declares more shared memory than an SM has.
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    __shared__ char big[1 << 28];
    big[threadIdx.x] = 1;
    __syncthreads();
    partial[0] = big[n % 32];
}
