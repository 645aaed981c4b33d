#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tid = threadIdx.x, half = blockDim.x, offset = blockIdx.x * 2 * half;
    value_t *gdata = data + offset;
    unsigned length = n > offset ? min(n - offset, 2 * half) : 0;
    do {
        if (tid < half && tid + half < length) gdata[tid] = combine(gdata[tid], gdata[tid + half]);
        __syncthreads();
        half /= 2;
    } while (half);
    if (!tid) partial[blockIdx.x] = length ? *gdata : identity();
}
