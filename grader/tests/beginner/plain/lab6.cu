#include "reduce.h"

// Reduces the 32 values `x` of the warp's lanes. All 32 lanes must call this function; only lane 0's return value is used.
static __device__ value_t warp_reduce(value_t x) {

    for (int offset = 16; offset > 0; offset /= 2) {
        value_t other = __shfl_down_sync(0xffffffff, x, offset);
        x = combine(x, other);
    }
    return x;
}

// Like warp_reduce, but keeps operands in order: each step combines the results of two adjacent ranges of lanes, the left one first.
static __device__ value_t warp_reduce_ordered(value_t x) {

    for (int offset = 1; offset < 32; offset *= 2) {
        value_t other = __shfl_down_sync(0xffffffff, x, offset);
        x = combine(x, other);
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values, one per warp
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);

    sum = warp_reduce(sum);
    if (lane == 0) {
        s[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        value_t v = identity();
        if (lane < warps) v = s[lane];
        v = warp_reduce(v);
        if (lane == 0) partial[blockIdx.x] = v;
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    sum = warp_reduce_ordered(sum);
    if (lane == 0) out[0] = sum;
}
