#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

static __device__ bool is_nan(scalar_t v) { return !(v == v); }

static __device__ bool wins(value_t l, value_t r) {
    if (is_nan(l.value) && is_nan(r.value)) return l.index < r.index;
    if (is_nan(l.value)) return true;
    if (is_nan(r.value)) return false;
    if (before(l.value, r.value)) return true;
    if (before(r.value, l.value)) return false;
    return l.index < r.index;
}

static __device__ value_t combine(value_t l, value_t r) {
    if (wins(l, r)) return l;
    return r;
}

static __device__ value_t shuffle_down(value_t p, unsigned d) {
    value_t q;
    q.value = __shfl_down_sync(0xffffffff, p.value, d);
    q.index = __shfl_down_sync(0xffffffff, p.index, d);
    return q;
}

// Reduces the M pairs `x` of the block's threads. Only thread 0's return value is used.
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, shuffle_down(x, offset));
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = lane < warps ? s[lane] : identity();
        for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, shuffle_down(x, offset));
    }
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ unsigned mine;
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x, T = gridDim.x * blockDim.x;
    value_t best = identity();
    unsigned p = id;
    while (p < n) {
        best = combine(best, in[p]);
        p += T;
    }
    best = block_reduce(best, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = best;
        __threadfence();
        mine = atomicAdd(&ticket, 1u);
    }
    __syncthreads();
    if (mine == gridDim.x - 1) {
        __threadfence();
        best = identity();
        p = threadIdx.x;
        while (p < gridDim.x) {
            best = combine(best, partial[p]);
            p += blockDim.x;
        }
        best = block_reduce(best, s);
        if (threadIdx.x == 0) {
            *total = best;
            ticket = 0;
        }
    }
}
