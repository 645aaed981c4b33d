#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    if (threadIdx.x == 0) {
        const value_t *end = in + n;
        value_t mySum = identity();
        while (in < end) mySum = combine(mySum, *in++);
        total[0] = mySum;
    }
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    value_t *p = data + pair * 2 * stride;
    if (p + stride < data + n) *p = combine(p[0], p[stride]);
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    unsigned size = n;
    do {
        unsigned mid = (size + 1) / 2;
        for (unsigned j = threadIdx.x; mid + j < size; j += blockDim.x)
            data[j] = combine(data[j], data[mid + j]);
        __syncthreads();
        size = mid;
    } while (size > 1);
    if (threadIdx.x == 0) *total = (n != 0) ? *data : identity();
}
