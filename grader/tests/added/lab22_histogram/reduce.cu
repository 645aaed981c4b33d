// solutions/lab22_histogram/reduce.cu
//
// Lab 22: a histogram of 256 bins. bins[b] is the number of elements whose lowest byte is b.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. gridDim.x is arbitrary. n may be 0. bins holds zeros before the launch.
#include "reduce.h"

__global__ void histogram(const value_t *in, unsigned *bins, unsigned n) {
    __shared__ unsigned s[256];
    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) s[b] = 0;
    __syncthreads();
#ifdef SOLUTION
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i] & 255], 1u);
    __syncthreads();

    for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], s[b]);
#else

    // TODO 1: count the block's elements in s
    // TODO 2: add the block's counts to bins
#endif
}
