// Lab 6: a warp's values in registers.
//
// Contract. The input is read-only. n is at most 2^31 (2^25 for reduce_one_warp).
//   reduce             M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. The grid combines all elements, and each
//                      block writes partial[blockIdx.x], as in lab 4. The launch provides dynamic shared memory for M/32 values, one per warp.
//   reduce_one_warp    One block of one warp combines in[0 .. n) and writes out[0], without shared memory. It combines only neighbors,
//                      the left one first, because its operator may be noncommutative.
#include "reduce.h"

// Reduces the 32 values `x` of the warp's lanes. All 32 lanes must call this function; only lane 0's return value is used.
static __device__ value_t warp_reduce(value_t x) {
#ifdef SOLUTION
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
#else

    // TODO 1: for each offset 16, 8, 4, 2, 1, combine x with the x of lane `lane + offset`
#endif
    return x;
}

// Like warp_reduce, but keeps operands in order: each step combines the results of two adjacent ranges of lanes, the left one first.
static __device__ value_t warp_reduce_ordered(value_t x) {
#ifdef SOLUTION
    for (unsigned offset = 1; offset <= 16; offset *= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
#else

    // TODO 2: run the five steps again; which order of offsets makes each step combine only neighbors?
#endif
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values, one per warp
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
#ifdef SOLUTION
    sum = warp_reduce(sum);
    if (lane == 0) s[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_reduce(lane < warps ? s[lane] : identity());
        if (lane == 0) partial[blockIdx.x] = sum;
    }
#else

    // TODO 3: each warp reduces the sums of its lanes; lane 0 stores the result in s[warp]
    // TODO 4: after one __syncthreads(), the first warp reduces the results of all warps; all 32 lanes take part
#endif
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    sum = warp_reduce_ordered(sum);
    if (lane == 0) out[0] = sum;
}
