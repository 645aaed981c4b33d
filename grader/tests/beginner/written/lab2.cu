#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    const unsigned me = threadIdx.x;
    const unsigned base = blockIdx.x * blockDim.x * 2;
    value_t *mine = data + base + me;
    for (unsigned active = blockDim.x; active > 0; active >>= 1) {
        unsigned other = base + me + active;
        if (me < active && other < n) {
            *mine = combine(*mine, mine[active]);
        }
        __syncthreads();
    }
    if (me == 0) {
        value_t answer = identity();
        if (base < n)
            answer = *mine;
        partial[blockIdx.x] = answer;
    }
}
