#include "reduce.h"

__device__ unsigned int retirementCount = 0;

__inline__ __device__ value_t warpReduceSum(value_t val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val = combine(val, __shfl_down_sync(0xffffffff, val, offset));
    return val;
}

__inline__ __device__ value_t blockReduceSum(value_t val, value_t *shared) {
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : identity();
    if (wid == 0) val = warpReduceSum(val);
    return val;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t shared[];
    __shared__ bool amLast;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum = combine(sum, in[i]);
    }
    sum = blockReduceSum(sum, shared);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x - 1);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
        __threadfence();
        value_t all = identity();
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) all = combine(all, partial[i]);
        all = blockReduceSum(all, shared);
        if (threadIdx.x == 0) *total = all;
    }
}
