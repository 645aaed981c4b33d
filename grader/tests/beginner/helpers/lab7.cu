#include "reduce.h"

__device__ unsigned done = 0;

static __device__ value_t warp_all(value_t v) {
    unsigned d = 16;
    while (d) {
        v = combine(v, __shfl_xor_sync(0xffffffff, v, d));
        d >>= 1;
    }
    return v;
}

static __device__ value_t block_all(value_t v, value_t *sh) {
    unsigned lane = threadIdx.x & 31, wid = threadIdx.x >> 5, count = blockDim.x >> 5;
    v = warp_all(v);
    if (lane == 0) sh[wid] = v;
    __syncthreads();
    if (wid == 0) {
        v = identity();
        if (lane < count) v = sh[lane];
        v = warp_all(v);
    }
    return v;
}

static __device__ value_t take(const value_t *from, unsigned start, unsigned step, unsigned n) {
    value_t v = identity();
    while (start < n) {
        v = combine(v, from[start]);
        start += step;
    }
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t sh[];
    __shared__ unsigned drawn;
    const unsigned tid = threadIdx.x;
    value_t v = take(in, blockIdx.x * blockDim.x + tid, blockDim.x * gridDim.x, n);
    v = block_all(v, sh);
    if (tid == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        drawn = atomicAdd(&done, 1u);
    }
    __syncthreads();
    if (drawn == gridDim.x - 1) {
        __threadfence();
        v = take(partial, tid, blockDim.x, gridDim.x);
        v = block_all(v, sh);
        if (tid == 0) {
            *total = v;
            done = 0;
        }
    }
}
