// Lab 3: the tree in shared memory.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. n is at most 2^31 (2^25 for reduce_one_block). The input is read-only.
//   reduce            Block b combines the elements of in[2*M*b .. 2*M*(b+1)) whose index is below n and writes the result to partial[b],
//                     or identity() if it has no element. The launch provides dynamic shared memory for 2*M values.
//   reduce_one_block  A single block combines in[0 .. n) and writes out[0]. The launch provides dynamic shared memory for M values.
#include "reduce.h"

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x; // the first element of this block's segment

    unsigned m = blockDim.x;
    s[t] = start + t < n ? in[start + t] : identity();
    s[t + m] = start + t + m < n ? in[start + t + m] : identity();
    __syncthreads();
    for (unsigned stride = m; stride >= 1; stride /= 2) {
        if (t < stride) s[t] = combine(s[t], s[t + stride]);
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values
    unsigned t = threadIdx.x;

    value_t sum = identity();
    unsigned each = (n + blockDim.x - 1) / blockDim.x, from = t * each;
    unsigned to = from + each;
    for (unsigned i = from; i < to && i < n; ++i)
        sum = combine(sum, in[i]);
    s[t] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half != 0; half /= 2) {
        if (t < half) s[t] = combine(s[t], s[t + half]);
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
