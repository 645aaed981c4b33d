#include "reduce.h"

__device__ void tree(value_t *sdata, unsigned tid) {
    if (blockDim.x >= 1024) { if (tid < 512) { sdata[tid] = combine(sdata[tid], sdata[tid + 512]); } __syncthreads(); }
    if (blockDim.x >= 512) { if (tid < 256) { sdata[tid] = combine(sdata[tid], sdata[tid + 256]); } __syncthreads(); }
    if (blockDim.x >= 256) { if (tid < 128) { sdata[tid] = combine(sdata[tid], sdata[tid + 128]); } __syncthreads(); }
    if (blockDim.x >= 128) { if (tid < 64) { sdata[tid] = combine(sdata[tid], sdata[tid + 64]); } __syncthreads(); }
    if (blockDim.x >= 64) { if (tid < 32) { sdata[tid] = combine(sdata[tid], sdata[tid + 32]); } __syncthreads(); }
    for (unsigned s = 16; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] = combine(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t sdata[];
    unsigned tid = threadIdx.x;
    unsigned gridSize = blockDim.x * gridDim.x;
    value_t mySum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridSize) mySum = combine(mySum, in[i]);
    sdata[tid] = mySum;
    __syncthreads();
    tree(sdata, tid);
    if (tid == 0) partial[blockIdx.x] = sdata[0];
}

#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t sdata[];
    unsigned tid = threadIdx.x;
    unsigned gridSize = blockDim.x * gridDim.x;
    value_t mySum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridSize) mySum = combine(mySum, in[i]);
    sdata[tid] = mySum;
    __syncthreads();
    tree(sdata, tid);
    if (tid == 0) atomic_combine(total, sdata[0]);
}
#endif
