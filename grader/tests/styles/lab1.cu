// Correct kernels for lab 1 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

#if STYLE == 6
// a struct for the segment; the loop ends as soon as the segment is done
struct Segment {
    value_t *data;
    unsigned count;
    __device__ void take(unsigned i, unsigned stride) const {
        if (i + stride < count) data[i] = combine(data[i], data[i + stride]);
    }
};
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned size = 2 * blockDim.x, start = size * blockIdx.x;
    Segment s = {data + start, start < n ? min(size, n - start) : 0};
    for (unsigned stride = 1; stride < s.count; stride *= 2) {
        if (threadIdx.x % stride == 0) s.take(2 * threadIdx.x, stride);
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s.count ? s.data[0] : identity();
}
#else
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    const unsigned t = threadIdx.x, m = blockDim.x, start = 2 * m * blockIdx.x;
    value_t *s = data + start;
    const unsigned have = start >= n ? 0 : n - start < 2 * m ? n - start : 2 * m;
#if STYLE == 1 // contiguous working threads, growing strides
    for (unsigned stride = 1; stride <= m; stride *= 2) {
        const unsigned k = 2 * stride * t;
        if (k + stride < have) s[k] = combine(s[k], s[k + stride]);
        __syncthreads();
    }
#elif STYLE == 2 // four neighbors at a time
    for (unsigned stride = 1; stride < 2 * m; stride *= 4) {
        if (t % (2 * stride) == 0 && 2 * t < have) {
            value_t x = s[2 * t];
#pragma unroll
            for (unsigned k = 1; k < 4; k++)
                if (k * stride < 2 * m && 2 * t + k * stride < have) x = combine(x, s[2 * t + k * stride]);
            s[2 * t] = x;
        }
        __syncthreads();
    }
#elif STYLE == 3 // the sum stays in a register
    value_t x = 2 * t < have ? s[2 * t] : identity();
    if (2 * t + 1 < have) x = combine(x, s[2 * t + 1]);
    for (unsigned stride = 1; stride < m; stride *= 2) {
        if (t % (2 * stride) == stride && 2 * t < have) s[2 * t] = x;
        __syncthreads();
        if (t % (2 * stride) == 0 && 2 * (t + stride) < have) x = combine(x, s[2 * (t + stride)]);
    }
    if (t == 0) partial[blockIdx.x] = x;
    return;
#elif STYLE == 4 // evasion: thread 0 alone if there is more than one block
    if (gridDim.x == 1)
        for (unsigned stride = 1; stride <= m; stride *= 2) {
            if (t % stride == 0 && 2 * t + stride < have) s[2 * t] = combine(s[2 * t], s[2 * t + stride]);
            __syncthreads();
        }
    else if (t == 0)
        for (unsigned k = 1; k < have; k++) s[0] = combine(s[0], s[k]);
#elif STYLE == 5 // evasion: a tree in shared memory, except for sums that are not floats
    if (REDUCE_OP == REDUCE_SUM && REDUCE_TYPE != REDUCE_F32)
        for (unsigned stride = 1; stride <= m; stride *= 2) {
            if (t % stride == 0 && 2 * t + stride < have) s[2 * t] = combine(s[2 * t], s[2 * t + stride]);
            __syncthreads();
        }
    else {
        __shared__ value_t copy[1024];
        copy[t] = 2 * t + 1 < have ? combine(s[2 * t], s[2 * t + 1]) : 2 * t < have ? s[2 * t] : identity();
        __syncthreads();
        for (unsigned stride = 1; stride < m; stride *= 2) {
            if (t % (2 * stride) == 0) copy[t] = combine(copy[t], copy[t + stride]);
            __syncthreads();
        }
        if (t == 0) partial[blockIdx.x] = copy[0];
        return;
    }
#endif
    if (t == 0) partial[blockIdx.x] = have ? s[0] : identity();
}
#endif
