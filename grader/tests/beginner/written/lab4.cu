#include "reduce.h"

static __device__ value_t tree(value_t *smem) {
    unsigned tid = threadIdx.x;
    unsigned s = blockDim.x;
    while (s > 1) {
        s >>= 1;
        __syncthreads();
        if (tid < s)
            smem[tid] = combine(smem[tid], smem[tid + s]);
    }
    return smem[0];
}

static __device__ value_t my_share(const value_t *in, unsigned n) {
    unsigned gid = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned all = blockDim.x * gridDim.x;
    value_t acc = identity();
    while (gid < n) {
        acc = combine(acc, in[gid]);
        gid += all;
    }
    return acc;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t smem[];
    smem[threadIdx.x] = my_share(in, n);
    value_t r = tree(smem);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = r;
}

#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t smem[];
    smem[threadIdx.x] = my_share(in, n);
    value_t r = tree(smem);
    if (threadIdx.x != 0)
        return;
    atomic_combine(total, r);
}
#endif
