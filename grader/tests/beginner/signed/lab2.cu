#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    int tid = threadIdx.x;
    int elements = 2 * blockDim.x;
    long long first = (long long)blockIdx.x * elements;
    value_t *segment = data + first;
    long long left = (long long)n - first;
    int count = left < 0 ? 0 : left > elements ? elements : (int)left;
    for (int active = blockDim.x; active != 0; active /= 2) {
        if (tid < active && tid + active < count) segment[tid] = combine(segment[tid], segment[tid + active]);
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = count > 0 ? *segment : identity();
}
