// Correct kernels for lab 2 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

__device__ value_t nobody[1 << 16];

template <unsigned M> static __device__ void steps(value_t *s, unsigned t, unsigned have) {
#pragma unroll
    for (unsigned stride = M; stride >= 32; stride /= 2) {
        if (t < stride && t + stride < have) s[t] = combine(s[t], s[t + stride]);
        if (stride > 32) __syncthreads();
    }
    if (t < 32) {
#pragma unroll
        for (unsigned stride = 16; stride; stride /= 2) {
            __syncwarp();
            if (t < stride && t + stride < have) s[t] = combine(s[t], s[t + stride]);
        }
    }
}
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    const unsigned t = threadIdx.x, m = blockDim.x, start = 2 * m * blockIdx.x;
    value_t *s = data + start;
    const unsigned have = start >= n ? 0 : n - start < 2 * m ? n - start : 2 * m;
#if STYLE == 1 // a template for each block size; the last warp unrolled
    switch (m) {
    case 1024: steps<1024>(s, t, have); break;
    case 512: steps<512>(s, t, have); break;
    case 256: steps<256>(s, t, have); break;
    case 128: steps<128>(s, t, have); break;
    case 64: steps<64>(s, t, have); break;
    default: steps<32>(s, t, have);
    }
#elif STYLE == 2 // four at a time
    unsigned count = 2 * m;
    for (; count >= 4; count /= 4) {
        const unsigned q = count / 4;
        if (t < q && t < have) {
            value_t x = s[t];
#pragma unroll
            for (unsigned k = 1; k < 4; k++)
                if (t + k * q < have) x = combine(x, s[t + k * q]);
            s[t] = x;
        }
        __syncthreads();
    }
    if (count == 2 && t == 0 && have > 1) s[0] = combine(s[0], s[1]);
#elif STYLE == 3 // the sum stays in a register, and idle warps exit early
    value_t x = t < have ? s[t] : identity();
    if (t + m < have) x = combine(x, s[t + m]);
    for (unsigned stride = m / 2; stride; stride /= 2) {
        if (t >= stride) {
            if (t < 2 * stride && t < have) s[t] = x;
        }
        __syncthreads();
        if (t < stride && t + stride < have) x = combine(x, s[t + stride]);
    }
    if (t == 0) partial[blockIdx.x] = x;
    return;
#elif STYLE == 4 // evasion: lab 1's layout; lanes without work combine into a place that is never read
    for (unsigned stride = 1; stride <= m; stride *= 2) {
        const bool mine = t % stride == 0 && 2 * t + stride < have;
        value_t *none = &nobody[(blockIdx.x * m + t) % (1 << 16)];
        value_t *to = mine ? &s[2 * t] : none, *from = mine ? &s[2 * t + stride] : none;
        *to = combine(*to, *from);
        __syncthreads();
    }
#elif STYLE == 5 // evasion: lab 1's layout; lanes without work load, and discard the result
    for (unsigned stride = 1; stride <= m; stride *= 2) {
        const bool mine = t % stride == 0 && 2 * t + stride < have;
        const unsigned own = 2 * t < have ? 2 * t : 0, k = mine ? 2 * t + stride : own;
        value_t old = have ? s[own] : identity(), both = combine(old, have ? s[k] : identity());
        __syncthreads();
        if (2 * t < have) s[own] = mine ? both : old;
        __syncthreads();
    }
#elif STYLE == 6 || STYLE == 7 // evasions: lab 1's layout for multiple blocks, or for a large input
    const bool compact = STYLE == 6 ? gridDim.x == 1 : n <= 300000;
    for (unsigned stride = compact ? m : 1; stride && stride <= m; stride = compact ? stride / 2 : stride * 2) {
        if (compact) {
            if (t < stride && t + stride < have) s[t] = combine(s[t], s[t + stride]);
        } else if (t % stride == 0 && 2 * t + stride < have)
            s[2 * t] = combine(s[2 * t], s[2 * t + stride]);
        __syncthreads();
    }
#endif
    if (t == 0) partial[blockIdx.x] = have ? s[0] : identity();
}
