// Lab 5: warps reduce by themselves.
//
// Contract. The input is read-only. n is at most 2^31 (2^25 for the one-block kernels).
//   reduce             M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. The grid combines all elements, and each
//                      block writes partial[blockIdx.x], as in lab 4. The launch provides dynamic shared memory for M + M/32 values.
//   reduce_one_guard, reduce_padded, reduce_ordered
//                      One block of one warp combines in[0 .. n) and writes out[0]. The launch provides dynamic shared memory for 48 values.
//                      reduce_ordered combines only neighbors, the left one first, because its operator may be noncommutative.
#include "reduce.h"

// Reduces w[0 .. 32) in shared memory with one warp and returns the result. May overwrite w. All 32 lanes must call this function.
static __device__ value_t warp_reduce(value_t *w, unsigned lane) {
#ifdef SOLUTION
    for (unsigned offset = 16; offset >= 1; offset /= 2) {
        if (lane < offset) w[lane] = combine(w[lane], w[lane + offset]);
        __syncwarp();
    }
    return w[0];
#else

    // TODO 1: for each offset 16, 8, 4, 2, 1, the lanes below the offset combine; then all lanes of the warp wait
    return identity();
#endif
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // M values, one per thread, followed by M/32 values, one per warp
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
#ifdef SOLUTION
    s[t] = sum;
    __syncwarp(); // a warp needs only its own 32 values
    value_t result = warp_reduce(s + 32 * warp, lane);
    if (lane == 0) s[blockDim.x + warp] = result;
    __syncthreads(); // the first warp needs the results of all warps
    if (warp == 0) {
        s[lane] = lane < warps ? s[blockDim.x + lane] : identity();
        __syncwarp();
        result = warp_reduce(s, lane);
        if (lane == 0) partial[blockIdx.x] = result;
    }
#else

    // TODO 2: each warp reduces its 32 values of s; lane 0 keeps the result in s[blockDim.x + warp]
    // TODO 3: after one __syncthreads(), the first warp reduces the results of all warps; lanes past the last result use identity()
#endif
}

// Runs in one warp. Lanes 0 to 15 take part in every step, although some of them compute results that are never used.
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16) {
#ifdef SOLUTION
        for (unsigned offset = 16; offset >= 1; offset /= 2) {
            value_t both = combine(s[lane], s[lane + offset]);
            __syncwarp(0x0000ffff); // all lanes have read before any lane writes
            s[lane] = both;
            __syncwarp(0x0000ffff);
        }
#else
        // TODO 4: run the five steps without another `if`. Lane 8 overwrites the value that lane 0 reads, so each step must read, wait, write and wait
#endif
    }
    if (lane == 0) out[0] = s[0];
}

// Runs in one warp. All lanes take part in every step. In the first step, lane 31 reads s[47], which is padding.
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
#ifdef SOLUTION
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned offset = 16; offset >= 1; offset /= 2) {
        value_t both = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = both;
        __syncwarp();
    }
#else
    // TODO 5: fill the padding, s[32 .. 48), with identity(); then run the five steps without any `if`
#endif
    if (lane == 0) out[0] = s[0];
}

// Runs in one warp. Combines only neighbors, so the operands stay in order. Each lane first combines its own contiguous piece of the input.
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
#ifdef SOLUTION
    for (unsigned offset = 1; offset <= 16; offset *= 2) {
        if (lane % (2 * offset) == 0) s[lane] = combine(s[lane], s[lane + offset]);
        __syncwarp();
    }
#else
    // TODO 6: run lab 1's tree in one warp, with offsets 1, 2, 4, 8, 16
#endif
    if (lane == 0) out[0] = s[0];
}
