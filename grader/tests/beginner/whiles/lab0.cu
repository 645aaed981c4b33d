#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    if (threadIdx.x > 0) return;
    value_t acc = identity();
    unsigned pos = 0;
    while (pos < n) {
        acc = combine(acc, in[pos]);
        pos++;
    }
    *total = acc;
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t k = 2 * (size_t)stride * i;
    size_t right = k + stride;
    if (right >= n) return;
    value_t a = data[k];
    value_t b = data[right];
    data[k] = combine(a, b);
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned count = n;
    while (count > 1) {
        unsigned stride = count / 2 + count % 2;
        unsigned j = t;
        while (j + stride < count) {
            data[j] = combine(data[j], data[j + stride]);
            j += blockDim.x;
        }
        __syncthreads();
        count = stride;
    }
    if (t == 0) {
        if (n == 0)
            total[0] = identity();
        else
            total[0] = data[0];
    }
}
