#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    int id = threadIdx.x;
    if (id == 0) {
        value_t result = identity();
        for (const value_t *p = in; p != in + n; ++p) result = combine(result, *p);
        *total = result;
    }
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    size_t pair = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    size_t a = pair * 2 * stride, b = a + stride;
    if (b < n) {
        data[a] = combine(data[a], data[b]);
    }
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    size_t tid = threadIdx.x;
    size_t threads = blockDim.x;
    size_t len = n;
    while (len > 1) {
        size_t upper = (len + 1) / 2;
        for (size_t i = tid; i < len / 2; i += threads) {
            value_t l = data[i], r = data[i + upper];
            data[i] = combine(l, r);
        }
        __syncthreads();
        len = upper;
    }
    if (tid == 0) *total = n ? data[0] : identity();
}
