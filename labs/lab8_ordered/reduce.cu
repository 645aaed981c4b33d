// Lab 8: operands in order.
//
// Contract. The operator is associative, but combine(a, b) need not be combine(b, a): the result is in[0], in[1], ... in[n-1] combined in this
// order, with any parentheses. Any n from 0 up to 2^31 (reduce_one_warp: to 2^25); the input is read only.
//   reduce           M = blockDim.x, a power of two from 32 to 1024; any number of blocks, gridDim.x. One launch writes total[0].
//                    partial[0 .. gridDim.x) is for the blocks' results. The kernel is launched any number of times back to back, and the
//                    host resets nothing. The launch provides 2*M values of dynamic shared memory.
//   reduce_one_warp  one block of one warp writes out[0]. The launch provides 48 values of shared memory.
#include "reduce.h"

__device__ unsigned ticket; // how many blocks of this launch have written their partial; 0 between launches

// Reduces in[begin .. end), of any length, in order. Only thread 0's return value is used. s: 2*M values.
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = begin + t < end ? in[begin + t] : identity(); // the lower half: everything so far, as M values in order

    // TODO 1: while elements remain: load the next M into the upper half, s[M .. 2M); then combine pairs of neighbors into the lower half
    // TODO 2: a tree over s[0 .. M) that combines neighbors only: strides 1, 2, 4, ..., at places 2*stride*t
    return s[0];
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    __shared__ bool last;          // this block drew the last ticket

    // TODO 3: the block's chunk: n / gridDim.x elements, rounded up; the last chunks may be short or empty
    // TODO 4: lab 7's finish: partial, fence, ticket; the last block reduces the partials, in order
}

// One warp: each lane begins with its own chunk; then all lanes work in all steps. Lane 31 reads s[47], in the padding.
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    // TODO 5: lab 5's steps without any `if`, but with the offsets that keep the order
    if (lane == 0) out[0] = s[0];
}
