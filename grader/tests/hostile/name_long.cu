// Contains a name of ten thousand letters.
#include "reduce.h"
#define L0(x) int x;
#define L1(x) L0(x##x##x##x##x##x##x##x##x##x)
#define L2(x) L1(x##x##x##x##x##x##x##x##x##x)
#define L3(x) L2(x##x##x##x##x##x##x##x##x##x)
__device__ L3(looooooong)
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + t);
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0 && i + stride < n) data[i] = combine(data[i], data[i + stride]);
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();
}
