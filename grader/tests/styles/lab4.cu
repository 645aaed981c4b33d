// Correct kernels for lab 4 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

#if STYLE == 6
static __device__ value_t block_reduce(value_t x) {
    __shared__ value_t s[1024];
    unsigned t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    for (unsigned d = blockDim.x / 2; d; d /= 2) {
        if (t < d) s[t] = combine(s[t], s[t + d]);
        __syncthreads();
    }
    return s[0];
}
static __device__ value_t mine(const value_t *in, unsigned n) {
    value_t x = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x = combine(x, in[i]);
    return x;
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    value_t x = block_reduce(mine(in, n));
    if (threadIdx.x == 0) partial[blockIdx.x] = x;
}
#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    value_t x = block_reduce(mine(in, n));
    if (threadIdx.x == 0) atomic_combine(total, x);
}
#endif
#else
static __device__ value_t block_reduce(value_t x, value_t *s) {
    const unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = x;
    __syncthreads();
#if STYLE == 1 // four at a time, then two
    unsigned left = m;
    for (; left >= 4; left /= 4) {
        const unsigned q = left / 4;
        if (t < q) s[t] = x = combine(combine(s[t], s[t + q]), combine(s[t + 2 * q], s[t + 3 * q]));
        __syncthreads();
    }
    if (left == 2) x = combine(s[0], s[1]);
    return x;
#elif STYLE == 2 // the last warp by shuffles
    for (unsigned stride = m / 2; stride >= 32; stride >>= 1) {
        if (t < stride) s[t] = x = combine(x, s[t + stride]);
        __syncthreads();
    }
    if (t < 32)
        for (unsigned offset = 16; offset; offset >>= 1) x = combine(x, __shfl_down_sync(~0u, x, offset));
    return x;
#elif STYLE == 3 // the steps for the last 64 values unrolled, by one warp
    for (unsigned stride = m / 2; stride > 32; stride >>= 1) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    if (t >= 32) return identity();
    x = m > 32 ? combine(s[t], s[t + 32]) : s[t];
#pragma unroll
    for (unsigned stride = 16; stride; stride /= 2) {
        __syncwarp();
        s[t] = x;
        __syncwarp();
        x = combine(x, s[t + stride < 32 ? t + stride : t]);
    }
    return x;
#elif STYLE == 7 // a warp adds the columns of the warps, and then its 32 sums
    if (t >= 32) return identity();
    for (unsigned k = t + 32; k < m; k += 32) x = combine(x, s[k]);
    s[t] = x;
    __syncwarp();
    for (unsigned stride = 16; stride; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncwarp();
    }
    return s[0];
#elif STYLE == 8 // the last warp reads, waits, and writes
    for (unsigned stride = m / 2; stride >= 32; stride >>= 1) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    for (unsigned stride = 16; t < 32 && stride; stride /= 2) {
        if (t < stride) x = combine(s[t], s[t + stride]);
        __syncwarp();
        if (t < stride) s[t] = x;
        __syncwarp();
    }
    return s[0];
#elif STYLE == 10 // each warp runs its own tree; thread 0 adds the results
    for (unsigned stride = 16, lane = t % 32; stride; stride /= 2) {
        if (lane < stride) s[t] = x = combine(x, s[t + stride]);
        __syncwarp();
    }
    __syncthreads();
    for (unsigned k = 32; t == 0 && k < m; k += 32) x = combine(x, s[k]);
    return x;
#elif STYLE == 9 // evasion: no tree in a block of one warp
    for (unsigned k = 1; m == 32 && t == 0 && k < m; k++) x = combine(x, s[k]);
    if (m == 32) return x;
    for (unsigned stride = m / 2; stride; stride >>= 1) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    return s[0];
#else
    for (unsigned stride = m / 2; stride; stride >>= 1) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    return s[0];
#endif
}
static __device__ value_t grid_stride(const value_t *in, unsigned n) {
    const unsigned threads = gridDim.x * blockDim.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    value_t x = identity();
#if STYLE == 1 // two loads in flight
    for (; i < n && n - i > threads; i += 2 * threads) x = combine(x, combine(in[i], in[i + threads]));
    if (i < n) x = combine(x, in[i]);
#else
#pragma unroll 4
    for (; i < n; i += threads) x = combine(x, in[i]);
#endif
#if STYLE == 11 // evasion: one thread per block if there are many small blocks
    if (gridDim.x > 1500 && blockDim.x < 128) {
        x = identity();
        for (unsigned row = blockIdx.x * blockDim.x; threadIdx.x == 0 && row < n; row += threads)
            for (unsigned k = row; k < n && k < row + blockDim.x; k++) x = combine(x, in[k]);
    }
#endif
    return x;
}
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    value_t x = grid_stride(in, n);
#if STYLE == 5 // evasion: a tree for the known launch only; otherwise thread 0 adds
    if (blockDim.x != 1024 || gridDim.x > 1) {
        s[threadIdx.x] = x;
        __syncthreads();
        if (threadIdx.x) return;
        for (unsigned k = 1; k < blockDim.x; k++) x = combine(x, s[k]);
        partial[blockIdx.x] = x;
        return;
    }
#endif
    x = block_reduce(x, s);
    if (threadIdx.x == 0) partial[blockIdx.x] = x;
}
#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    value_t x = grid_stride(in, n);
#if STYLE == 4 // evasion: an atomic per thread if there is more than one block
    if (gridDim.x > 1) {
        atomic_combine(total, x);
        return;
    }
#endif
    x = block_reduce(x, s);
    if (threadIdx.x == 0) {
#if STYLE == 3
        if (gridDim.x == 1)
            *total = combine(*total, x);
        else
#endif
            atomic_combine(total, x);
    }
}
#endif
#endif
