#include "reduce.h"

static __device__ value_t get(const value_t *in, unsigned i, unsigned n) {
    if (i < n) return in[i];
    return identity();
}

static __device__ void tree(value_t *buf, unsigned size) {
    unsigned tid = threadIdx.x;
    while (size > 1) {
        size = size / 2;
        if (tid < size) buf[tid] = combine(buf[tid], buf[tid + size]);
        __syncthreads();
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t buf[];
    unsigned tid = threadIdx.x, M = blockDim.x;
    unsigned base = blockIdx.x * M * 2;
    buf[tid] = get(in, base + tid, n);
    buf[tid + M] = get(in, base + tid + M, n);
    __syncthreads();
    tree(buf, 2 * M);
    if (tid == 0) partial[blockIdx.x] = buf[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    unsigned tid = threadIdx.x, M = blockDim.x;
    value_t acc = identity();
    unsigned pos = tid;
    while (pos < n) {
        acc = combine(acc, in[pos]);
        pos += M;
    }
    buf[tid] = acc;
    __syncthreads();
    tree(buf, M);
    if (tid == 0) out[0] = buf[0];
}
