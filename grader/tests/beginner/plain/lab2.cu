#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x; // the first element of this block's segment

    unsigned i = start + t;
    unsigned stride = blockDim.x;
    while (stride >= 1) {
        if (t < stride && i + stride < n) {
            data[i] = combine(data[i], data[i + stride]);
        }
        __syncthreads();
        stride = stride / 2;
    }
    if (t == 0) {
        if (start < n) partial[blockIdx.x] = data[start];
        else partial[blockIdx.x] = identity();
    }
}
