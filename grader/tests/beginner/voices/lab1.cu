#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tid = threadIdx.x;
    unsigned base = blockIdx.x * blockDim.x * 2;
    unsigned mine = base + 2 * tid;

    unsigned s = 1;
    while (s <= blockDim.x) {
        bool active = (tid & (s - 1)) == 0;
        if (active && mine + s < n) {
            value_t left = data[mine];
            value_t right = data[mine + s];
            data[mine] = combine(left, right);
        }
        __syncthreads();
        s = s * 2;
    }

    if (tid == 0) {
        if (base < n)
            partial[blockIdx.x] = data[base];
        else
            partial[blockIdx.x] = identity();
    }
}
