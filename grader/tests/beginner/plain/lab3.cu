#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x; // the first element of this block's segment

    unsigned a = start + t, b = a + blockDim.x;
    s[t] = identity();
    s[t + blockDim.x] = identity();
    if (a < n) s[t] = in[a];
    if (b < n) s[t + blockDim.x] = in[b];
    __syncthreads();
    for (unsigned stride = blockDim.x; stride > 0; stride >>= 1) {
        if (t < stride) {
            s[t] = combine(s[t], s[t + stride]);
        }
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values
    unsigned t = threadIdx.x;

    value_t mine = identity();
    for (unsigned i = t; i < n; i += blockDim.x) {
        mine = combine(mine, in[i]);
    }
    s[t] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half) {
            s[t] = combine(s[t], s[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
