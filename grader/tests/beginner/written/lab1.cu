#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned tid = threadIdx.x;
    unsigned first = blockIdx.x * (2 * blockDim.x);
    value_t *seg = data + first;
    unsigned len = first < n ? n - first : 0;
    if (len > 2 * blockDim.x)
        len = 2 * blockDim.x;
    unsigned step = 1;
    while (step < 2 * blockDim.x) {
        unsigned pos = 2 * tid;
        if (pos % (2 * step) == 0 && pos + step < len)
            seg[pos] = combine(seg[pos], seg[pos + step]);
        __syncthreads();
        step <<= 1;
    }
    if (tid != 0)
        return;
    partial[blockIdx.x] = len == 0 ? identity() : seg[0];
}
