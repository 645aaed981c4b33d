#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t buf[];
    int tid = threadIdx.x;
    int half = blockDim.x;
    unsigned g = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    value_t lo = identity(), hi = identity();
    if (g < n)
        lo = in[g];
    if (g + half < n)
        hi = in[g + half];
    buf[tid] = lo;
    buf[tid + half] = hi;
    __syncthreads();
    while (half > 0) {
        if (tid < half)
            buf[tid] = combine(buf[tid], buf[tid + half]);
        __syncthreads();
        half >>= 1;
    }
    if (tid == 0)
        partial[blockIdx.x] = buf[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    int tid = threadIdx.x;
    value_t acc = identity();
    unsigned k = tid;
    while (k < n) {
        acc = combine(acc, in[k]);
        k += blockDim.x;
    }
    buf[tid] = acc;
    __syncthreads();
    int half = blockDim.x / 2;
    while (half != 0) {
        if (tid < half)
            buf[tid] = combine(buf[tid], buf[tid + half]);
        half = half / 2;
        __syncthreads();
    }
    if (tid == 0)
        *out = *buf;
}
