#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tx = threadIdx.x;
    unsigned bx = blockIdx.x;
    unsigned begin = bx * blockDim.x * 2;
    unsigned s = 1;
    while (s < 2 * blockDim.x) {
        unsigned pos = begin + 2 * tx;
        if ((2 * tx) % (2 * s) == 0 && pos + s < n) {
            value_t left = data[pos];
            value_t right = data[pos + s];
            data[pos] = combine(left, right);
        }
        __syncthreads();
        s = s * 2;
    }
    if (tx == 0) {
        if (begin < n) {
            partial[bx] = data[begin];
        } else {
            partial[bx] = identity();
        }
    }
}
