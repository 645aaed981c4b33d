#include "reduce.h"

__device__ unsigned done_blocks = 0;

__device__ bool nan(scalar_t x) { return !(x == x); }

static __device__ value_t combine(value_t a, value_t b) {
    if (nan(a.value) && nan(b.value)) {
        if (a.index < b.index) return a;
        return b;
    }
    if (nan(a.value)) return a;
    if (nan(b.value)) return b;
    if (a.value == b.value) {
        if (a.index < b.index) return a;
        else return b;
    }
    if (before(a.value, b.value)) return a;
    return b;
}

__device__ value_t get_from(value_t v, int d) {
    value_t other;
    other.value = __shfl_down_sync(0xffffffff, v.value, d);
    other.index = __shfl_down_sync(0xffffffff, v.index, d);
    return other;
}

__device__ value_t best_of_block(value_t v, value_t *buf) {
    int laneId = threadIdx.x % 32;
    int warpId = threadIdx.x / 32;
    for (int d = 16; d > 0; d >>= 1) v = combine(v, get_from(v, d));
    if (laneId == 0) buf[warpId] = v;
    __syncthreads();
    if (warpId == 0) {
        v = identity();
        if (laneId < blockDim.x / 32) v = buf[laneId];
        for (int d = 16; d > 0; d >>= 1) v = combine(v, get_from(v, d));
    }
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t buf[];
    __shared__ unsigned my_ticket;
    value_t v = identity();
    unsigned pos = blockIdx.x * blockDim.x + threadIdx.x;
    while (pos < n) {
        v = combine(v, in[pos]);
        pos += blockDim.x * gridDim.x;
    }
    v = best_of_block(v, buf);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        my_ticket = atomicAdd(&done_blocks, 1u);
    }
    __syncthreads();
    if (my_ticket != gridDim.x - 1) return;
    __threadfence();
    v = identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) v = combine(v, partial[b]);
    v = best_of_block(v, buf);
    if (threadIdx.x == 0) {
        total[0] = v;
        done_blocks = 0;
    }
}
