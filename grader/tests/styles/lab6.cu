// Correct kernels for lab 6 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    const unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5, warps = blockDim.x >> 5, threads = gridDim.x * blockDim.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    value_t x = identity();
#if STYLE == 2 // two loads in flight
    for (; i + threads < n; i += 2 * threads) x = combine(x, combine(in[i], in[i + threads]));
    if (i < n) x = combine(x, in[i]);
#else
#pragma unroll 4
    for (; i < n; i += threads) x = combine(x, in[i]);
#endif
#if STYLE == 5 // evasion: lab 4's tree unless the launch is the known one
    if (gridDim.x > 1 || n != 2048) {
        __shared__ value_t w[1024];
        w[t] = x;
        __syncthreads();
        for (unsigned stride = blockDim.x / 2; stride; stride /= 2) {
            if (t < stride) w[t] = combine(w[t], w[t + stride]);
            __syncthreads();
        }
        if (t == 0) partial[blockIdx.x] = w[0];
        return;
    }
#endif
#if STYLE == 4 // evasion: unused shuffles; the values go through shared memory
    {
        __shared__ value_t w[1024];
        value_t y = x;
        for (unsigned offset = 16; offset; offset /= 2) y = combine(y, __shfl_down_sync(~0u, y, offset));
        w[t] = x;
        __syncwarp();
        for (unsigned offset = 16; offset; offset /= 2) {
            if (lane < offset) w[t] = combine(w[t], w[t + offset]);
            __syncwarp();
        }
        x = w[t - lane];
        if (n == ~0u) x = y;
    }
#elif STYLE == 8 // evasion: every lane gets the other 31 values one by one
    const value_t own = x;
    for (unsigned from = 1; from < 32; from++) x = combine(x, __shfl_sync(~0u, own, lane ^ from));
#elif STYLE == 1
#pragma unroll
    for (unsigned mask = 1; mask < 32; mask <<= 1) x = combine(x, __shfl_xor_sync(0xffffffffu, x, mask));
#elif STYLE == 6 // an inclusive scan: some lanes do not combine
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const value_t y = __shfl_up_sync(0xffffffffu, x, offset);
        if (lane >= offset) x = combine(y, x);
    }
    x = __shfl_sync(0xffffffffu, x, 31);
#else
    if (STYLE != 7 || blockIdx.x * blockDim.x + 32 * warp < n) { // style 7: only warps that have elements
#pragma unroll
        for (unsigned offset = 16; offset; offset >>= 1) x = combine(x, __shfl_down_sync(0xffffffffu, x, offset));
    }
#endif
    if (!lane) s[warp] = x;
    __syncthreads();
#if STYLE == 2 // the second level by one thread
    if (t == 0) {
        for (unsigned w = 1; w < warps; w++) x = combine(x, s[w]);
        partial[blockIdx.x] = x;
    }
#elif STYLE == 3 // the second level by every warp
    x = lane < warps ? s[lane] : identity();
#pragma unroll
    for (unsigned offset = 16; offset; offset >>= 1) x = combine(x, __shfl_down_sync(0xffffffffu, x, offset));
    if (t == 0) partial[blockIdx.x] = x;
#else
    if (t >= 32) return;
    x = lane < warps ? s[lane] : identity();
    for (unsigned mask = 16; mask; mask >>= 1) x = combine(x, __shfl_xor_sync(~0u, x, mask));
    if (t == 0) partial[blockIdx.x] = x;
#endif
}
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    const unsigned lane = threadIdx.x, each = (n + 31) / 32, end = min(n, (lane + 1) * each);
    value_t x = identity();
    for (unsigned i = lane * each; i < end; i++) x = combine(x, in[i]);
#pragma unroll
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const value_t next = __shfl_down_sync(0xffffffff, x, offset);
        if (lane % (2 * offset) == 0) x = combine(x, next);
    }
    if (lane == 0) *out = x;
}
