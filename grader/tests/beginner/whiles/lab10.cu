#ifndef REDUCE_OP
#define REDUCE_OP REDUCE_ARGMAX
#endif
#include "reduce.h"

__device__ unsigned ticket;

static __device__ value_t combine(value_t a, value_t b) {
    bool na = a.value != a.value, nb = b.value != b.value;
    if (na && !nb) return a;
    if (nb && !na) return b;
    if (!na && before(a.value, b.value)) return a;
    if (!na && before(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
}

static __device__ value_t shuffle_down(value_t x, unsigned offset) {
    value_t y;
    y.value = __shfl_down_sync(0xffffffff, x.value, offset);
    y.index = __shfl_down_sync(0xffffffff, x.index, offset);
    return y;
}

static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, w = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2) {
        value_t y = shuffle_down(x, d);
        x = combine(x, y);
    }
    if (lane == 0) s[w] = x;
    __syncthreads();
    if (w == 0) {
        x = identity();
        if (lane < blockDim.x / 32) x = s[lane];
        for (int d = 16; d > 0; d /= 2) {
            value_t y = shuffle_down(x, d);
            x = combine(x, y);
        }
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    value_t best = identity();
    for (; i + threads < n; i += 2 * threads) best = combine(best, combine(in[i], in[i + threads]));
    if (i < n) best = combine(best, in[i]);
    best = block_reduce(best, s);
    if (t == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        unsigned my = atomicAdd(&ticket, 1);
        last = (my == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        __threadfence();
        value_t r = identity();
        for (unsigned b = t; b < gridDim.x; b += blockDim.x) r = combine(r, partial[b]);
        r = block_reduce(r, s);
        if (t == 0) {
            *total = r;
            ticket = 0;
        }
    }
}
