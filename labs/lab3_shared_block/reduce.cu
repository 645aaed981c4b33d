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

    // TODO 1: each thread stages two elements in s[t] and s[t + blockDim.x], or identity() where the input has no element
    // TODO 2: wait for all threads of the block
    // TODO 3: run the tree of lab 2 over s, with strides from blockDim.x down to 1
    // TODO 4: thread 0 writes s[0] to partial[blockIdx.x]
}

__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[]; // M values
    unsigned t = threadIdx.x;

    // TODO 5: each thread combines elements t, t + blockDim.x, t + 2*blockDim.x, ... in a register, and puts the result in s[t]
    // TODO 6: run the tree over the blockDim.x values of s; thread 0 writes out[0]
}
