#include "reduce.h"
#define FULL 0xffffffffu

static __device__ value_t fold(value_t mine) {
    unsigned d = 16;
    do {
        value_t theirs = __shfl_down_sync(FULL, mine, d);
        mine = combine(mine, theirs);
        d >>= 1;
    } while (d != 0);
    return mine;
}

static __device__ value_t fold_ordered(value_t mine) {
    unsigned d = 1;
    while (d < 32) {
        value_t theirs = __shfl_down_sync(FULL, mine, d);
        mine = combine(mine, theirs);
        d <<= 1;
    }
    return mine;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t per_warp[];
    unsigned tid = threadIdx.x;
    unsigned lane = tid & 31, wid = tid >> 5;
    value_t v = identity();
    unsigned k = blockIdx.x * blockDim.x + tid;
    while (k < n) {
        v = combine(v, in[k]);
        k += gridDim.x * blockDim.x;
    }
    v = fold(v);
    if (lane == 0)
        per_warp[wid] = v;
    __syncthreads();
    if (wid != 0)
        return;
    v = identity();
    if (lane < blockDim.x >> 5)
        v = per_warp[lane];
    v = fold(v);
    if (tid == 0)
        partial[blockIdx.x] = v;
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    unsigned lane = threadIdx.x;
    unsigned len = n / 32 + (n % 32 != 0);
    const value_t *p = in + (lane * len < n ? lane * len : n);
    const value_t *end = in + ((lane + 1) * len < n ? (lane + 1) * len : n);
    value_t v = identity();
    while (p < end)
        v = combine(v, *p++);
    v = fold_ordered(v);
    if (lane == 0)
        *out = v;
}
