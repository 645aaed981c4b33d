#include "reduce.h"

__device__ unsigned arrived;

static __device__ value_t warp_sum(value_t x) {
    for (int d = 16; d > 0; d /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, d));
    return x;
}

static __device__ value_t block_sum(value_t x, value_t *cache) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x = warp_sum(x);
    if (lane == 0) cache[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = lane < blockDim.x / 32 ? cache[lane] : identity();
        x = warp_sum(x);
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t cache[];
    __shared__ int is_last;
    value_t mine = identity();
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) mine = combine(mine, in[i]);
    value_t sum = block_sum(mine, cache);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        unsigned place = atomicAdd(&arrived, 1);
        is_last = (place == gridDim.x - 1);
    }
    __syncthreads();
    if (is_last) {
        __threadfence();
        mine = identity();
        for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) mine = combine(mine, partial[b]);
        sum = block_sum(mine, cache);
        if (threadIdx.x == 0) {
            *total = sum;
            arrived = 0;
        }
    }
}
