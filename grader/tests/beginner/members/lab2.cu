#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x;
    unsigned end = start + 2 * blockDim.x;
    if (end > n) end = n;
    unsigned i = start + t;
    unsigned stride = blockDim.x;
again:
    if (t < stride && i + stride < end) data[i] = combine(data[i], data[i + stride]);
    __syncthreads();
    stride /= 2;
    if (stride > 0) goto again;
    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();
}
