#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tid = threadIdx.x, size = 2 * blockDim.x, offset = blockIdx.x * size;
    value_t *gdata = data + offset;
    unsigned length = n > offset ? min(n - offset, size) : 0;
    for (unsigned s = 1; s < size; s *= 2) {
        unsigned index = 2 * tid;
        if ((index & (2 * s - 1)) == 0)
            if (index + s < length) gdata[index] = combine(gdata[index], gdata[index + s]);
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = length ? gdata[0] : identity();
}
