#include "reduce.h"

#define ALL 0xFFFFFFFFu

__device__ value_t sum_warp(value_t v) {
    v = combine(v, __shfl_down_sync(ALL, v, 16));
    v = combine(v, __shfl_down_sync(ALL, v, 8));
    v = combine(v, __shfl_down_sync(ALL, v, 4));
    v = combine(v, __shfl_down_sync(ALL, v, 2));
    v = combine(v, __shfl_down_sync(ALL, v, 1));
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t warp_sums[];
    const unsigned tx = threadIdx.x;
    const unsigned laneId = tx & 31;
    const unsigned warpId = tx >> 5;
    const unsigned numWarps = (blockDim.x + 31) / 32;
    value_t v = identity();
    unsigned pos = blockIdx.x * blockDim.x + tx;
    while (pos < n) {
        v = combine(v, in[pos]);
        pos += blockDim.x * gridDim.x;
    }
    v = sum_warp(v);
    if (laneId == 0) {
        warp_sums[warpId] = v;
    }
    __syncthreads();
    if (warpId == 0) {
        v = (laneId < numWarps) ? warp_sums[laneId] : identity();
        v = sum_warp(v);
        if (tx == 0) {
            partial[blockIdx.x] = v;
        }
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    const unsigned laneId = threadIdx.x;
    const unsigned chunk = n / 32 + (n % 32 != 0);
    const unsigned lo = laneId * chunk;
    unsigned hi = lo + chunk;
    if (hi > n) hi = n;
    value_t v = identity();
    for (unsigned p = lo; p < hi; p++) {
        v = combine(v, in[p]);
    }
    unsigned d = 1;
    while (d < 32) {
        value_t right = __shfl_down_sync(ALL, v, d);
        v = combine(v, right);
        d <<= 1;
    }
    if (laneId == 0) out[0] = v;
}
