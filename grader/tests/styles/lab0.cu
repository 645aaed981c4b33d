// Correct kernels for lab 0 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    if (blockIdx.x * blockDim.x + threadIdx.x) return;
    value_t sum = identity();
    const value_t *end = in + n;
#pragma unroll 4
    while (in != end) sum = combine(sum, *in++);
    *total = sum;
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, k = i * stride << 1;
    if (k >= n || n - k <= stride) return;
    data[k] = combine(data[k], data[k + stride]);
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    const unsigned t = threadIdx.x, m = blockDim.x;
#if STYLE == 1 // each thread reduces its elements in a register, and a tree combines the results
    value_t x = identity();
    for (unsigned i = t; i < n; i += m) x = combine(x, data[i]);
    if (t < n) data[t] = x;
    __syncthreads();
    for (unsigned stride = m / 2; stride; stride >>= 1) {
        if (t < stride && t + stride < n) data[t] = combine(data[t], data[t + stride]);
        __syncthreads();
    }
#elif STYLE == 2 // growing strides, in place
    for (unsigned stride = 1; stride < n; stride *= 2) {
        for (size_t i = 2 * (size_t)stride * t; i + stride < n; i += 2 * (size_t)stride * m) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
#elif STYLE == 3 // three at a time
    for (unsigned count = n; count > 1;) {
        const unsigned third = (count + 2) / 3;
        for (unsigned i = t; i < third; i += m) {
            value_t x = data[i];
            if (i + third < count) x = combine(x, data[i + third]);
            if (i + 2 * third < count) x = combine(x, data[i + 2 * third]);
            data[i] = x;
        }
        count = third;
        __syncthreads();
    }
#elif STYLE == 4 // evasion: a tree for the known launch, and otherwise thread 0 alone
    if (n == 2048 && m == 1024) {
        for (unsigned count = n, stride; count > 1; count = stride) {
            stride = (count + 1) / 2;
            for (unsigned i = t; i + stride < count; i += m) data[i] = combine(data[i], data[i + stride]);
            __syncthreads();
        }
    } else if (t == 0)
        for (unsigned i = 1; i < n; i++) data[0] = combine(data[0], data[i]);
#elif STYLE == 5 // evasion: barriers, and thread 0 alone
    __syncthreads();
    if (t == 0) {
        value_t x = n ? data[0] : identity();
        for (unsigned i = 1; i < n; i++) x = combine(x, data[i]);
        total[0] = x;
    }
    return;
#endif
    if (t == 0) total[0] = n ? data[0] : identity();
}
