#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t sdata[];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + tid;
    sdata[tid] = identity();
    if (i < n) sdata[tid] = in[i];
    sdata[tid + blockDim.x] = identity();
    if (i + blockDim.x < n) sdata[tid + blockDim.x] = in[i + blockDim.x];
    __syncthreads();
    for (unsigned s = blockDim.x; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] = combine(sdata[tid], sdata[tid + s]);
        }
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = sdata[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t sdata[];
    unsigned tid = threadIdx.x;
    sdata[tid] = identity();
    for (unsigned i = 0; i * blockDim.x + tid < n; i++) sdata[tid] = combine(sdata[tid], in[i * blockDim.x + tid]);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] = combine(sdata[tid], sdata[tid + s]);
        }
        __syncthreads();
    }
    if (tid == 0) out[0] = sdata[0];
}
