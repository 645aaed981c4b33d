#include "reduce.h"

__device__ unsigned done_blocks = 0;

__device__ value_t warp_sum(value_t v) {
    for (int d = 16; d > 0; d >>= 1) {
        v = combine(v, __shfl_down_sync(0xffffffff, v, d));
    }
    return v;
}

__device__ value_t block_sum(value_t v, value_t *buf) {
    int laneId = threadIdx.x % 32;
    int warpId = threadIdx.x / 32;
    v = warp_sum(v);
    if (laneId == 0) buf[warpId] = v;
    __syncthreads();
    if (warpId == 0) {
        if (laneId < blockDim.x / 32) v = buf[laneId];
        else v = identity();
        v = warp_sum(v);
    }
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t buf[];
    __shared__ unsigned my_ticket;
    value_t v = identity();
    unsigned pos = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned step = blockDim.x * gridDim.x;
    while (pos < n) {
        v = combine(v, in[pos]);
        pos += step;
    }
    v = block_sum(v, buf);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        my_ticket = atomicAdd(&done_blocks, 1u);
    }
    __syncthreads();
    if (my_ticket + 1 == gridDim.x) {
        __threadfence();
        v = identity();
        unsigned b = threadIdx.x;
        while (b < gridDim.x) {
            v = combine(v, partial[b]);
            b += blockDim.x;
        }
        v = block_sum(v, buf);
        if (threadIdx.x == 0) {
            done_blocks = 0;
            total[0] = v;
        }
    }
}
