#include "reduce.h"

__device__ unsigned ticket;

static __device__ value_t wred(value_t x) {
    for (int d = 16; d > 0; d /= 2) {
        value_t y = __shfl_down_sync(0xffffffff, x, d);
        x = combine(x, y);
    }
    return x;
}

static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, w = threadIdx.x / 32;
    x = wred(x);
    if (lane == 0) s[w] = x;
    __syncthreads();
    if (w == 0) {
        value_t v = identity();
        if (lane < blockDim.x / 32) v = s[lane];
        x = wred(v);
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    value_t mine = block_reduce(sum, s);
    if (t == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        unsigned my = atomicAdd(&ticket, 1);
        last = (my == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        __threadfence();
        value_t all = identity();
        unsigned b = t;
        while (b < gridDim.x) {
            all = combine(all, partial[b]);
            b += blockDim.x;
        }
        all = block_reduce(all, s);
        if (t == 0) {
            total[0] = all;
            ticket = 0;
        }
    }
}
