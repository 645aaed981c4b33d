// Compiles only the first few times it is included.
#include "reduce.h"
#if __COUNTER__ > 3
#error "only for the first few"
#endif
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0 && i + stride < n) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();
}
