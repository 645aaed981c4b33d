#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x;
    for (unsigned k = t; k < 2 * blockDim.x; k += blockDim.x) {
        if (start + k < n)
            s[k] = in[start + k];
        else
            s[k] = identity();
    }
    __syncthreads();
    for (unsigned d = blockDim.x; d > 0; d >>= 1) {
        if (t < d) {
            s[t] = combine(s[t], s[t + d]);
        }
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    value_t mine = identity();
    unsigned p = t;
    while (p < n) {
        mine = combine(mine, in[p]);
        p += blockDim.x;
    }
    s[t] = mine;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
        if (t < d) {
            s[t] = combine(s[t], s[t + d]);
        }
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
