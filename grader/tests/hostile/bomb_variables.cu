// Declares a large array of which each block writes all elements.
#include "reduce.h"
__device__ value_t big[400000];
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    for (unsigned k = threadIdx.x; k < 400000; k += blockDim.x) big[k] = data[k % n];
    partial[blockIdx.x] = big[n];
}
