#include "reduce.h"

__device__ unsigned arrived;

static __device__ value_t ordered_tree(value_t x, value_t *cache) {
    int tid = threadIdx.x;
    cache[tid] = x;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (tid % (2 * d) == 0) cache[tid] = combine(cache[tid], cache[tid + d]);
        __syncthreads();
    }
    return cache[0];
}

static __device__ value_t run(const value_t *in, size_t from, size_t to) {
    value_t x = identity();
    for (size_t i = from; i < to; ++i) x = combine(x, in[i]);
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t cache[];
    __shared__ int is_last;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t id = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t each = (n + threads - 1) / threads;
    size_t from = min(id * each, (size_t)n), to = min(from + each, (size_t)n);
    value_t sum = ordered_tree(run(in, from, to), cache);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    size_t share = (gridDim.x + blockDim.x - 1) / blockDim.x;
    from = min(threadIdx.x * share, (size_t)gridDim.x), to = min(from + share, (size_t)gridDim.x);
    sum = ordered_tree(run(partial, from, to), cache);
    if (threadIdx.x == 0) {
        *total = sum;
        arrived = 0;
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t cache[];
    int lane = threadIdx.x;
    size_t each = (n + 31) / 32;
    size_t from = min(lane * each, (size_t)n), to = min(from + each, (size_t)n);
    cache[lane] = run(in, from, to);
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        if (lane % (2 * d) == 0) cache[lane] = combine(cache[lane], cache[lane + d]);
        __syncwarp();
    }
    if (lane == 0) *out = cache[0];
}
