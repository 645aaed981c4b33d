#include "reduce.h"

__global__ void total(const value_t *in, value_t *partial, unsigned n, unsigned blocks) {
    extern __shared__ value_t s[];
    const unsigned t = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blocks * blockDim.x) sum = combine(sum, in[i]);
    s[t] = sum;
    for (unsigned stride = blockDim.x / 2; stride; stride /= 2) {
        __syncthreads();
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}
