#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tx = threadIdx.x;
    unsigned begin = blockIdx.x * blockDim.x * 2;
    value_t *mine = data + begin + tx;
    unsigned s = blockDim.x;
    while (s > 0) {
        if (tx < s && begin + tx + s < n) {
            mine[0] = combine(mine[0], mine[s]);
        }
        __syncthreads();
        s = s >> 1;
    }
    if (tx != 0) return;
    if (begin < n) {
        partial[blockIdx.x] = *mine;
    } else {
        partial[blockIdx.x] = identity();
    }
}
