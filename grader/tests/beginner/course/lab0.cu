#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    if (threadIdx.x > 0) return;
    value_t acc = identity();
    unsigned idx = 0;
    while (idx < n) {
        acc = combine(acc, in[idx]);
        idx++;
    }
    *total = acc;
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    unsigned gid = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned long long left = 2ull * gid * stride;
    unsigned long long right = left + stride;
    if (right >= n) return;
    value_t a = data[left];
    value_t b = data[right];
    data[left] = combine(a, b);
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    const unsigned tid = threadIdx.x;
    const unsigned nthreads = blockDim.x;
    unsigned remaining = n;
    while (remaining > 1) {
        unsigned half = remaining / 2;
        unsigned keep = remaining - half;
        for (unsigned k = tid; k < half; k += nthreads) {
            data[k] = combine(data[k], data[k + keep]);
        }
        remaining = keep;
        __syncthreads();
    }
    if (tid == 0) {
        if (n == 0) total[0] = identity();
        else total[0] = data[0];
    }
}
