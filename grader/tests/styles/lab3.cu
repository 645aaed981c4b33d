// Correct kernels for lab 3 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

#if STYLE == 7
// static shared memory for the largest block; each thread keeps its value in a register
static __device__ value_t block_tree(value_t x) {
    __shared__ value_t s[1024];
    const unsigned t = threadIdx.x;
    s[t] = x;
#pragma unroll
    for (unsigned d = 512; d > 0; d >>= 1) {
        if (d >= blockDim.x) continue;
        __syncthreads();
        if (t < d) s[t] = x = combine(x, s[t + d]);
    }
    return x;
}
__global__ void __launch_bounds__(1024) reduce(const value_t *in, value_t *partial, unsigned n) {
    unsigned i = 2 * blockDim.x * blockIdx.x + threadIdx.x;
    value_t x = identity();
    if (i < n) x = in[i];
    if (i + blockDim.x < n) x = combine(x, in[i + blockDim.x]);
    x = block_tree(x);
    if (threadIdx.x == 0) partial[blockIdx.x] = x;
}
__global__ void __launch_bounds__(1024) reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    value_t x = identity();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) x = combine(x, in[i]);
    x = block_tree(x);
    if (threadIdx.x == 0) out[0] = x;
}
#elif STYLE == 11
// each half of the block reduces half of the values, with a barrier of its own
static __device__ value_t tree(value_t *s, unsigned count) {
    unsigned t = threadIdx.x, threads = blockDim.x > 32 ? blockDim.x / 2 : blockDim.x, half = t / threads, part = count / (blockDim.x / threads);
    value_t *w = s + half * part;
    __syncthreads();
    for (unsigned stride = part / 2; stride >= 1; stride /= 2) {
        if (t % threads < stride) w[t % threads] = combine(w[t % threads], w[t % threads + stride]);
        asm volatile("barrier.sync %0, %1;" ::"r"(1 + half), "r"(threads) : "memory");
    }
    __syncthreads();
    return t == 0 && part < count ? combine(s[0], s[part]) : s[0];
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    size_t i = (size_t)2 * blockDim.x * blockIdx.x + threadIdx.x, k = i + blockDim.x;
    s[threadIdx.x] = i < n ? in[i] : identity();
    s[threadIdx.x + blockDim.x] = k < n ? in[k] : identity();
    const value_t sum = tree(s, 2 * blockDim.x);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}
__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    value_t sum = identity();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum = combine(sum, in[i]);
    s[threadIdx.x] = sum;
    sum = tree(s, blockDim.x);
    if (threadIdx.x == 0) out[0] = sum;
}
#else
// Reduces s[0 .. count) by a tree; count is a power of two of at most 2*M. Thread 0 returns the result.
static __device__ value_t tree(value_t *s, unsigned count) {
    const unsigned t = threadIdx.x;
#if STYLE == 1 // down to a single warp, which only needs __syncwarp()
    for (unsigned stride = count / 2; stride >= 32; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    if (t < 32) {
#pragma unroll
        for (unsigned stride = 16; stride; stride /= 2) {
            value_t x = s[t];
            if (t < stride) x = combine(x, s[t + stride]);
            __syncwarp();
            s[t] = x;
            __syncwarp();
        }
    }
    return s[0];
#elif STYLE == 2 // four at a time
    unsigned left = count;
    for (; left >= 4; left /= 4) {
        const unsigned q = left / 4;
        if (t < q) s[t] = combine(combine(s[t], s[t + q]), combine(s[t + 2 * q], s[t + 3 * q]));
        __syncthreads();
    }
    return left == 2 ? combine(s[0], s[1]) : s[0];
#elif STYLE == 3 // the sum stays in a register
    value_t x = t < count ? s[t] : identity();
    if (count > blockDim.x) x = combine(x, s[t + blockDim.x]), count /= 2;
    for (unsigned stride = count / 2; stride; stride /= 2) {
        __syncthreads();
        if (t >= stride && t < 2 * stride) s[t] = x;
        __syncthreads();
        if (t < stride) x = combine(x, s[t + stride]);
    }
    return x;
#elif STYLE == 4 // compacted: thread t combines neighbors 2t and 2t + 1
    for (unsigned stride = count / 2; stride; stride /= 2) {
        value_t x = identity();
        if (t < stride) x = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        if (t < stride) s[t] = x;
        __syncthreads();
    }
    return s[0];
#elif STYLE == 5 // evasion: lab 1's layout; lanes without work add identity()
    for (unsigned stride = 1; stride < count; stride *= 2) {
        const bool mine = 2 * t % (2 * stride) == 0 && 2 * t + stride < count;
        value_t x = 2 * t < count ? s[2 * t] : identity(), y = mine ? s[2 * t + stride] : identity();
        x = combine(x, y);
        __syncthreads();
        if (2 * t < count) s[2 * t] = x;
        __syncthreads();
    }
    return s[0];
#elif STYLE == 10 // the threads wait at a cuda::barrier
#include <cuda/barrier>
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    if (t == 0) init(&meet, blockDim.x);
    __syncthreads();
    for (unsigned stride = count / 2; stride; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        meet.arrive_and_wait();
    }
    return s[0];
#elif STYLE == 9 // a barrier built from atomics: one lane counts its warp, and all threads wait for the other warps
    __shared__ unsigned arrived;
    unsigned all = 0;
    if (t == 0) arrived = 0;
    __syncthreads();
    for (unsigned stride = count / 2; stride; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __threadfence_block();
        __syncwarp();
        if (t % 32 == 0) atomicAdd(&arrived, 1u);
        all += blockDim.x / 32;
        while (*(volatile unsigned *)&arrived < all) continue;
        __threadfence_block();
    }
    return s[0];
#else
    if (STYLE == 6 && blockDim.x < 1024) { // evasion: a tree for the largest block only; in others, thread 0 adds
        value_t x = identity();
        for (unsigned k = 0; t == 0 && k < count; k++) x = combine(x, s[k]);
        return x;
    }
    for (unsigned stride = count / 2; stride; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    return s[0];
#endif
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned t = threadIdx.x, m = blockDim.x, i = 2 * m * blockIdx.x + t;
#if STYLE == 1
    value_t x = identity();
    if (i < n) x = in[i];
    if (i + m < n) x = combine(x, in[i + m]);
    s[t] = x;
    __syncthreads();
    x = tree(s, m);
#else
    s[t] = i < n ? in[i] : identity();
    s[t + m] = i + m < n ? in[i + m] : identity();
    __syncthreads();
    value_t x = tree(s, 2 * m);
#endif
    if (t == 0) partial[blockIdx.x] = x;
}
__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned t = threadIdx.x;
    value_t x = identity();
#if STYLE == 8 // evasion: one thread for a large input
    for (unsigned i = 0; n > 100000 && t == 0 && i < n; i++) x = combine(x, in[i]);
    if (n <= 100000)
#endif
#pragma unroll 4
        for (unsigned i = t; i < n; i += blockDim.x) x = combine(x, in[i]);
    s[t] = x;
    __syncthreads();
    x = tree(s, blockDim.x);
    if (!t) *out = x;
}
#endif
