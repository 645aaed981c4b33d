#include "reduce.h"

static __device__ void block_tree(value_t *cache) {
    int tid = threadIdx.x;
    for (int half = blockDim.x / 2; half != 0; half /= 2) {
        if (tid < half) cache[tid] = combine(cache[tid], cache[tid + half]);
        __syncthreads();
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t cache[];
    value_t mine = identity();
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) mine = combine(mine, in[i]);
    cache[threadIdx.x] = mine;
    __syncthreads();
    block_tree(cache);
    if (!threadIdx.x) partial[blockIdx.x] = cache[0];
}

#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t cache[];
    value_t mine = identity();
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) mine = combine(mine, in[i]);
    cache[threadIdx.x] = mine;
    __syncthreads();
    block_tree(cache);
    if (!threadIdx.x) atomic_combine(total, cache[0]);
}
#endif
