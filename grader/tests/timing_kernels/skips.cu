// lab7, refused: wrong result in launch 1
// Leaves out the last thousandth of the input.
#include "reduce.h"

enum { LARGE = 1 << 22 }; // for fewer elements, the kernel is correct
__device__ unsigned ticket;

static __device__ value_t block_reduce(value_t x) {
    __shared__ value_t s[1024];
    s[threadIdx.x] = x;
    for (unsigned stride = blockDim.x / 2; stride; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + stride]);
    }
    __syncthreads();
    return s[0];
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    __shared__ bool last;
    const unsigned t = threadIdx.x;
    value_t sum = identity();
    const unsigned read = n >= LARGE ? n - n / 1000 : n;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < read; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = block_reduce(sum);
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = block_reduce(sum);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
