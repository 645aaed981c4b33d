#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned i = 2 * (blockIdx.x * blockDim.x + t); // thread t owns the even element 2t of its block's segment

    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0 && i + stride < n) {
            data[i] = combine(data[i], data[i + stride]);
        }
        __syncthreads();
    }
    if (t == 0) {
        if (i < n) partial[blockIdx.x] = data[i];
        else partial[blockIdx.x] = identity();
    }
}
