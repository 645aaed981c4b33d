#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    int tid = threadIdx.x;
    int elements = 2 * blockDim.x;
    long long first = (long long)blockIdx.x * elements;
    value_t *segment = data + first;
    long long left = (long long)n - first;
    int count = left < 0 ? 0 : left > elements ? elements : (int)left;
    int i = 2 * tid;
    for (int dist = 1; dist < elements; dist <<= 1) {
        bool works = i % (2 * dist) == 0;
        if (works && i + dist < count) segment[i] = combine(segment[i], segment[i + dist]);
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = count > 0 ? segment[0] : identity();
}
