#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    const unsigned me = threadIdx.x;
    const unsigned first = blockIdx.x * blockDim.x * 2;
    unsigned half = blockDim.x;
    while (half > 0) {
        unsigned left = first + me;
        unsigned right = left + half;
        bool active = me < half && right < n;
        if (active) {
            value_t tmp = combine(data[left], data[right]);
            data[left] = tmp;
        }
        __syncthreads();
        half = half >> 1;
    }
    if (me == 0) {
        if (first < n)
            partial[blockIdx.x] = data[first];
        else
            partial[blockIdx.x] = identity();
    }
}
