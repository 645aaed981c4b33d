#include "reduce.h"

__device__ unsigned done;

static __device__ value_t block_sum(value_t v, value_t *per_warp) {
    unsigned lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    for (int d = 16; d > 0; d >>= 1)
        v = combine(v, __shfl_down_sync(0xffffffff, v, d));
    if (lane == 0)
        per_warp[wid] = v;
    __syncthreads();
    if (wid != 0)
        return v;
    v = identity();
    if (lane < blockDim.x / 32)
        v = per_warp[lane];
    for (int d = 16; d > 0; d >>= 1)
        v = combine(v, __shfl_down_sync(0xffffffff, v, d));
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t per_warp[];
    __shared__ unsigned mine;
    unsigned tid = threadIdx.x;
    value_t v = identity();
    unsigned k = blockIdx.x * blockDim.x + tid;
    unsigned all = gridDim.x * blockDim.x;
    while (k < n) {
        v = combine(v, in[k]);
        k += all;
    }
    v = block_sum(v, per_warp);
    if (tid == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        mine = atomicAdd(&done, 1);
    }
    __syncthreads();
    bool am_last = mine + 1 == gridDim.x;
    if (am_last) {
        __threadfence();
        v = identity();
        unsigned b = tid;
        while (b < gridDim.x) {
            v = combine(v, partial[b]);
            b += blockDim.x;
        }
        v = block_sum(v, per_warp);
        if (tid == 0) {
            *total = v;
            done = 0;
        }
    }
}
