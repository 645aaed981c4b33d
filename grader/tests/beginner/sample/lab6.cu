#include "reduce.h"

__inline__ __device__ value_t warpReduceSum(value_t val) {
    for (int mask = warpSize / 2; mask > 0; mask /= 2)
        val = combine(val, __shfl_xor_sync(0xffffffff, val, mask));
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

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t shared[];
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum = combine(sum, in[i]);
    }
    sum = blockReduceSum(sum, shared);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    unsigned lane = threadIdx.x;
    unsigned count = (n + 31) / 32;
    unsigned first = lane * count;
    value_t val = identity();
    for (unsigned k = first; k < first + count && k < n; ++k) val = combine(val, in[k]);
    for (int delta = 1; delta < 32; delta *= 2) {
        value_t next = __shfl_down_sync(0xffffffff, val, delta);
        val = combine(val, next);
    }
    if (lane == 0) *out = val;
}
