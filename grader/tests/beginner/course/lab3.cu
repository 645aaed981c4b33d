#include "reduce.h"

__device__ value_t load_or_id(const value_t *in, unsigned idx, unsigned n) {
    if (idx < n) return in[idx];
    return identity();
}

__device__ void tree(value_t *buf, unsigned len) {
    unsigned tx = threadIdx.x;
    for (unsigned h = len / 2; h > 0; h >>= 1) {
        __syncthreads();
        if (tx < h) buf[tx] = combine(buf[tx], buf[tx + h]);
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t buf[];
    unsigned tx = threadIdx.x;
    unsigned first = blockIdx.x * (2 * blockDim.x) + tx;
    unsigned second = first + blockDim.x;
    buf[tx] = load_or_id(in, first, n);
    buf[blockDim.x + tx] = load_or_id(in, second, n);
    tree(buf, 2 * blockDim.x);
    if (tx == 0) partial[blockIdx.x] = buf[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    unsigned tx = threadIdx.x;
    value_t acc = identity();
    unsigned p = tx;
    while (p < n) {
        acc = combine(acc, in[p]);
        p += blockDim.x;
    }
    buf[tx] = acc;
    tree(buf, blockDim.x);
    if (tx == 0) *out = buf[0];
}
