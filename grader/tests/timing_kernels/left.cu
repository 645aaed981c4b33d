// lab7, refused: launch 1 was right: look for state that launch 1 leaves behind
// Reads the state that an earlier launch left: half of the partials that it combines are from the previous launch.
#include "reduce.h"

enum { LARGE = 1 << 22 }; // for fewer elements, the kernel is correct
__device__ unsigned ticket;
__device__ value_t left[1 << 16];
__device__ bool again;

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
    const bool old = n >= LARGE && again; // `left` is from the previous launch
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
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
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) sum = combine(sum, old && b % 2 ? left[b] : partial[b]);
    sum = block_reduce(sum);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
        if (n >= LARGE) again = true;
    }
    for (unsigned b = t; n >= LARGE && b < gridDim.x; b += blockDim.x) left[b] = partial[b]; // for the next launch
}
