#include "reduce.h"

// Reduces `sum` over the block's M threads. Only thread 0's return value is used. Both kernels call this function.
static __device__ value_t block_reduce(value_t sum, value_t *s) {
    unsigned t = threadIdx.x;

    s[t] = sum;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) {
            s[t] = combine(s[t], s[t + stride]);
        }
        __syncthreads();
    }
    return s[0];
}

// Combines this thread's share of the input in a register and returns the result.
static __device__ value_t grid_stride(const value_t *in, unsigned n) {
    value_t sum = identity();

    unsigned threads = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        sum = combine(sum, in[i]);
    }
    return sum;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // M values

    value_t mine = grid_stride(in, n);
    value_t result = block_reduce(mine, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = result;
    }
}

#if REDUCE_HAS_ATOMIC // sum, min, max on integers; sum on floats
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M values

    value_t mine = grid_stride(in, n);
    value_t result = block_reduce(mine, s);
    if (threadIdx.x == 0) {
        atomic_combine(&total[0], result);
    }
}
#endif
