#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned i = 2 * (blockIdx.x * blockDim.x + t);
    unsigned s = 1;
    while (s <= blockDim.x) {
        unsigned j = i + s;
        if (t % s == 0 && j < n) {
            data[i] = combine(data[i], data[j]);
        }
        __syncthreads();
        s *= 2;
    }
    if (t != 0) return;
    if (i < n)
        partial[blockIdx.x] = data[i];
    else
        partial[blockIdx.x] = identity();
}
