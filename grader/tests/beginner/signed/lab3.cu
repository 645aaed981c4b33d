#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t cache[];
    const int tid = threadIdx.x, M = blockDim.x;
    const size_t first = 2 * (size_t)M * blockIdx.x;
    for (int k = 0; k < 2; ++k) {
        int pos = tid + k * M;
        if (first + pos < n)
            cache[pos] = in[first + pos];
        else
            cache[pos] = identity();
    }
    __syncthreads();
    for (int active = M; active > 0; active >>= 1) {
        if (tid < active) {
            value_t a = cache[tid], b = cache[tid + active];
            cache[tid] = combine(a, b);
        }
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = cache[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t cache[];
    const int tid = threadIdx.x, M = blockDim.x;
    cache[tid] = identity();
    for (size_t i = tid; i < n; i += M) cache[tid] = combine(cache[tid], in[i]);
    __syncthreads();
    for (int active = M / 2; active > 0; active >>= 1) {
        if (tid < active) {
            value_t a = cache[tid], b = cache[tid + active];
            cache[tid] = combine(a, b);
        }
        __syncthreads();
    }
    if (tid == 0) *out = cache[0];
}
