// solutions/lab21_scan/reduce.cu
//
// Lab 21: the inclusive scan. out[i] = in[0] + in[1] + ... + in[i].
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. There are ceil(n / M) blocks, at least one. n may be 0. The launch provides shared memory for M values.
//   scan_blocks   each block scans its M elements into out, and writes their sum to sums[blockIdx.x]
//   scan_sums     one block scans sums in place
//   add_sums      each block except the first adds the sum of all elements that precede the block
#include "reduce.h"

// In thread t, returns the sum of the values of threads 0 to t.
static __device__ value_t scan_in_block(value_t x, value_t *s) {
#ifdef SOLUTION
    unsigned t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        value_t before = t >= stride ? s[t - stride] : identity();
        __syncthreads();
        s[t] = combine(before, s[t]);
        __syncthreads();
    }
    return s[t];
#else

    // TODO 1: store x in s; in each step, a thread adds the value that is `stride` places before its own: read, wait, write, wait
    s[threadIdx.x] = identity();
    __syncthreads();
    return identity();
#endif
}

__global__ void scan_blocks(const value_t *in, value_t *out, value_t *sums, unsigned n) {
    extern __shared__ value_t s[]; // M values
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    value_t x = scan_in_block(i < n ? in[i] : identity(), s);
    if (i < n) out[i] = x;
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = x;
}

__global__ void scan_sums(value_t *sums, unsigned n) {
    extern __shared__ value_t s[];
    unsigned blocks = (n + blockDim.x - 1) / blockDim.x;
    value_t before = identity();
    for (unsigned first = 0; first < blocks; first += blockDim.x) {
        unsigned i = first + threadIdx.x;
        value_t x = scan_in_block(i < blocks ? sums[i] : identity(), s);
        if (i < blocks) sums[i] = combine(before, x);
        before = combine(before, s[blockDim.x - 1]);
        __syncthreads(); // the next round writes s
    }
}

__global__ void add_sums(value_t *out, const value_t *sums, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef SOLUTION
    if (blockIdx.x > 0 && i < n) out[i] = combine(sums[blockIdx.x - 1], out[i]);
#else

    // TODO 2: add sums[blockIdx.x - 1], the sum of all elements before this block
#endif
}
