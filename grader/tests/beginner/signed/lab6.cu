#include "reduce.h"

static __device__ value_t down(value_t mine) {
    for (int d = 32 / 2; d > 0; d = d / 2) {
        value_t theirs = __shfl_down_sync(0xffffffff, mine, d);
        mine = combine(mine, theirs);
    }
    return mine;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t of_warp[];
    int tid = threadIdx.x;
    int lane = tid % warpSize;
    int warp = tid / warpSize;
    int warps = blockDim.x / warpSize;
    value_t mine = identity();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n; i += (size_t)gridDim.x * blockDim.x) mine = combine(mine, in[i]);
    mine = down(mine);
    if (lane == 0) of_warp[warp] = mine;
    __syncthreads();
    if (warp != 0) return;
    mine = identity();
    if (lane < warps) mine = of_warp[lane];
    mine = down(mine);
    if (lane == 0) partial[blockIdx.x] = mine;
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    int lane = threadIdx.x;
    size_t per_lane = (n + 31) / 32;
    value_t mine = identity();
    for (size_t k = 0; k < per_lane; ++k) {
        size_t i = lane * per_lane + k;
        if (i < n) mine = combine(mine, in[i]);
    }
    for (int d = 1; d < 32; d = d * 2) {
        value_t theirs = __shfl_down_sync(0xffffffff, mine, d);
        mine = combine(mine, theirs);
    }
    if (lane == 0) *out = mine;
}
