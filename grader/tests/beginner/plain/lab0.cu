#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    if (threadIdx.x == 0) {
        value_t sum = identity();
        for (unsigned i = 0; i < n; i++) {
            sum = combine(sum, in[i]);
        }
        total[0] = sum;
    }
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // this thread's index in the launch: 0, 1, 2, ...
    size_t k = 2 * (size_t)stride * i;                  // the index of the thread's left element; size_t, because 2 * stride * i may exceed 32 bits

    if (k + stride < n) {
        data[k] = combine(data[k], data[k + stride]);
    }
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    unsigned t = threadIdx.x;

    unsigned count = n;
    while (count > 1) {
        unsigned stride = (count + 1) / 2;
        for (unsigned i = t; i + stride < count; i += blockDim.x) {
            data[i] = combine(data[i], data[i + stride]);
        }
        __syncthreads();
        count = stride;
    }
    if (t == 0) {
        total[0] = n > 0 ? data[0] : identity();
    }
}
