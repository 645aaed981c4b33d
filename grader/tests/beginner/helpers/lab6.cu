#include "reduce.h"
#define FULL 0xffffffffu

static __device__ value_t warp_all(value_t v) {
    unsigned d = 16;
    while (d) {
        value_t other = __shfl_xor_sync(FULL, v, d);
        v = combine(v, other);
        d = d / 2;
    }
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t warpsum[];
    const unsigned tid = threadIdx.x;
    const unsigned lane = tid & 31, wid = tid >> 5;
    value_t acc = identity();
    unsigned p = blockIdx.x * blockDim.x + tid;
    while (p < n) {
        acc = combine(acc, in[p]);
        p += gridDim.x * blockDim.x;
    }
    acc = warp_all(acc);
    if (lane == 0) warpsum[wid] = acc;
    __syncthreads();
    if (wid == 0) {
        value_t v = identity();
        if (lane < blockDim.x / 32) v = warpsum[lane];
        v = warp_all(v);
        if (tid == 0) partial[blockIdx.x] = v;
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    const unsigned lane = threadIdx.x;
    const unsigned chunk = (n + 31) / 32;
    unsigned from = chunk * lane;
    unsigned to = from + chunk;
    if (to > n) to = n;
    value_t acc = identity();
    while (from < to) acc = combine(acc, in[from++]);
    unsigned d = 1;
    while (d < 32) {
        value_t right = __shfl_down_sync(FULL, acc, d);
        acc = combine(acc, right);
        d = d * 2;
    }
    if (lane == 0) out[0] = acc;
}
