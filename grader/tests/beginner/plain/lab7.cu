#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Reduces the M values `x` of the block's threads. Only thread 0's return value is used.
static __device__ value_t block_reduce(value_t x, value_t *s) {

    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int offset = 16; offset > 0; offset /= 2) {
        x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    }
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = identity();
        if (lane < warps) x = s[lane];
        for (int offset = 16; offset > 0; offset /= 2) {
            x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
        }
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = block_reduce(sum, s);

    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        unsigned mine = atomicAdd(&ticket, 1);
        last = mine == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        value_t all = identity();
        for (unsigned j = t; j < gridDim.x; j += blockDim.x) {
            all = combine(all, partial[j]);
        }
        all = block_reduce(all, s);
        if (t == 0) {
            total[0] = all;
            ticket = 0;
        }
    }
}
