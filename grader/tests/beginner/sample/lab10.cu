#include "reduce.h"

__device__ unsigned int retirementCount = 0;

static __device__ value_t combine(value_t a, value_t b) {
    bool an = isnan((double)a.value), bn = isnan((double)b.value);
    bool aFirst = an ? (!bn || a.index < b.index) : (!bn && (before(a.value, b.value) || (a.value == b.value && a.index < b.index)));
    return aFirst ? a : b;
}

__device__ value_t shflDown(value_t v, unsigned offset) {
    value_t r;
    r.value = __shfl_down_sync(0xffffffff, v.value, offset);
    r.index = __shfl_down_sync(0xffffffff, v.index, offset);
    return r;
}

__device__ value_t warpBest(value_t v) {
    for (int offset = 16; offset > 0; offset >>= 1) v = combine(v, shflDown(v, offset));
    return v;
}

__device__ value_t blockBest(value_t v, value_t *shared) {
    int lane = threadIdx.x & 31;
    int wid = threadIdx.x >> 5;
    v = warpBest(v);
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = (threadIdx.x < blockDim.x / 32) ? shared[lane] : identity();
    if (wid == 0) v = warpBest(v);
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t shared[];
    __shared__ bool amLast;
    value_t best = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) best = combine(best, in[i]);
    best = blockBest(best, shared);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        amLast = atomicInc(&retirementCount, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (amLast) {
        __threadfence();
        best = identity();
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) best = combine(best, partial[i]);
        best = blockBest(best, shared);
        if (threadIdx.x == 0) *total = best;
    }
}
