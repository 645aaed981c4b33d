#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Returns the pair that comes first. The operator is commutative, and identity() comes after every element.
static __device__ value_t combine(value_t a, value_t b) {

    bool an = a.value != a.value, bn = b.value != b.value;
    if (an && !bn) return a;
    if (bn && !an) return b;
    if (an && bn) return a.index < b.index ? a : b;
    if (before(a.value, b.value)) return a;
    if (before(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
}

// Returns the pair of the lane at lane + offset.
static __device__ value_t shuffle_down(value_t x, unsigned offset) {

    value_t y;
    y.value = __shfl_down_sync(0xffffffff, x.value, offset);
    y.index = __shfl_down_sync(0xffffffff, x.index, offset);
    return y;
}

// Reduces the M pairs `x` of the block's threads. Only thread 0's return value is used.
static __device__ value_t block_reduce(value_t x, value_t *s) {

    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        x = combine(x, shuffle_down(x, offset));
    }
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = identity();
        if (lane < warps) x = s[lane];
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            x = combine(x, shuffle_down(x, offset));
        }
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    value_t best = identity();
    for (; i + threads < n; i += 2 * threads) best = combine(best, combine(in[i], in[i + threads])); // two loads in flight
    if (i < n) best = combine(best, in[i]);
    best = block_reduce(best, s);

    if (t == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        unsigned mine = atomicAdd(&ticket, 1);
        last = mine == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        value_t all = identity();
        for (unsigned j = t; j < gridDim.x; j += blockDim.x) {
            all = combine(all, partial[j]);
        }
        all = block_reduce(all, s);
        if (t == 0) {
            total[0] = all;
            ticket = 0;
        }
    }
}
