#include "reduce.h"
__device__ unsigned ticket;
struct Range {
    unsigned begin, end;
    __device__ bool holds(unsigned index) const { return index >= begin && index < end; }
};
static __device__ Range chunk_of(unsigned n) {
    unsigned length = (n + gridDim.x - 1) / gridDim.x;
    Range r;
    r.begin = min(blockIdx.x * length, n);
    r.end = min(r.begin + length, n);
    return r;
}
static __device__ value_t load(const value_t *in, Range r, unsigned index) { return r.holds(index) ? in[index] : identity(); }
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    Range r = {begin, end};
    s[t] = load(in, r, begin + t);
    for (unsigned next = begin + m; next < end; next += m) {
        s[m + t] = load(in, r, next + t);
        __syncthreads();
        value_t both = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        s[t] = both;
    }
    __syncthreads();
    switch (m) {
    default:
        for (unsigned stride = 1; stride < m; stride *= 2) {
            unsigned k = 2 * stride * t;
            if (k < m) s[k] = combine(s[k], s[k + stride]);
            __syncthreads();
        }
    }
    return s[0];
}
struct Finisher {
    value_t *partial;
    __device__ bool publish(value_t x) const {
        partial[blockIdx.x] = x;
        __threadfence();
        return atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
};
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    Range mine = chunk_of(n);
    value_t x = block_reduce(in, mine.begin, mine.end, s);
    Finisher finisher = {partial};
    if (threadIdx.x == 0) last = finisher.publish(x);
    __syncthreads();
    if (!last) return;
    __threadfence();
    x = block_reduce(partial, 0, gridDim.x, s);
    if (threadIdx.x == 0) {
        total[0] = x;
        ticket = 0;
    }
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned offset = 1; offset <= 16; offset *= 2) {
        x = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = x;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
