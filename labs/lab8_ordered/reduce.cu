// Lab 8: operands in order.
//
// Contract. The operator is associative, but combine(a, b) may differ from combine(b, a). The kernels combine in[0], in[1], ... in[n-1] in
// this order, with any grouping. n is at most 2^31 (2^25 for reduce_one_warp). The input is read-only.
//   reduce           M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. One launch writes total[0].
//                    partial[0 .. gridDim.x) has room for the blocks' results. The host launches the kernel repeatedly, back to back, with any
//                    arguments, and resets nothing. The launch provides dynamic shared memory for 2*M values.
//   reduce_one_warp  One block of one warp writes out[0]. The launch provides dynamic shared memory for 48 values.
#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Reduces in[begin .. end), of any length, in order. s has room for 2*M values. Only thread 0's return value is used.
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = begin + t < end ? in[begin + t] : identity(); // the lower half holds M values in order: the result so far

    // TODO 1: while elements remain, load the next M elements into the upper half, s[M .. 2M); then combine pairs of neighbors into the lower half
    // TODO 2: run a tree over s[0 .. M) that combines neighbors only, with strides 1, 2, 4, ..., at indices 2*stride*t
    return s[0];
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    __shared__ bool last;          // whether this block drew the last ticket

    // TODO 3: reduce the block's chunk of n / gridDim.x elements, rounded up; the last chunks may be short or empty
    // TODO 4: finish as in lab 7, with partial, fence and ticket; the last block reduces the partials, in order
}

// Runs in one warp. Each lane reduces its own chunk. Then all lanes take part in every step, and lane 31 reads the padding, up to s[47].
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    // TODO 5: run the five steps of lab 5's reduce_padded, but with the offsets that keep the order
    if (lane == 0) out[0] = s[0];
}
