#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    int tid = threadIdx.x;
    if (tid != 0)
        return;
    const value_t *p = in;
    const value_t *stop = in + n;
    value_t result = identity();
    while (p != stop) {
        result = combine(result, *p);
        p++;
    }
    *total = result;
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t left = pair * stride * 2;
    size_t right = left + stride;
    if (right >= n)
        return;
    value_t a = data[left];
    value_t b = data[right];
    data[left] = combine(a, b);
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    unsigned tid = threadIdx.x;
    unsigned remaining = n;
    while (remaining > 1) {
        unsigned half = remaining / 2;
        unsigned gap = remaining - half;
        unsigned i = tid;
        while (i < half) {
            data[i] = combine(data[i], data[i + gap]);
            i = i + blockDim.x;
        }
        __syncthreads();
        remaining = gap;
    }
    if (tid == 0) {
        if (n == 0)
            total[0] = identity();
        else
            total[0] = data[0];
    }
}
