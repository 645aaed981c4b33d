#include "reduce.h"

static __device__ value_t block_total(value_t mine, value_t *sh) {
    const unsigned tid = threadIdx.x;
    sh[tid] = mine;
    __syncthreads();
    unsigned active = blockDim.x;
    do {
        active /= 2;
        if (tid < active) {
            value_t other = sh[tid + active];
            sh[tid] = combine(sh[tid], other);
        }
        __syncthreads();
    } while (active > 1);
    return sh[0];
}

static __device__ value_t thread_total(const value_t *in, unsigned n) {
    const unsigned T = blockDim.x * gridDim.x;
    unsigned pos = threadIdx.x + blockIdx.x * blockDim.x;
    value_t acc = identity();
    while (pos < n) {
        acc = combine(acc, in[pos]);
        pos += T;
    }
    return acc;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t sh[];
    value_t mine = thread_total(in, n);
    value_t all = block_total(mine, sh);
    if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t sh[];
    value_t mine = thread_total(in, n);
    value_t all = block_total(mine, sh);
    if (threadIdx.x == 0) atomic_combine(total, all);
}
#endif
