// Lab 0: one thread, one level, one tree.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. n is at most 2^31 for one_level and at most 2^17 for the other kernels, and may be 0.
//   one_thread   The launch has one block. Combines in[0], in[1], ... in[n-1] in this order and writes the result to total[0], or identity()
//                if n is 0. The input is read-only. If the operator is commutative, any order is allowed.
//   one_level    The launch has at least one thread per pair; the last block may have additional threads. Combines data[k + stride] into
//                data[k] for each multiple k of 2*stride with k + stride < n, and changes no other element. The host launches this
//                kernel with stride = 1, 2, 4, ... as long as stride < n. After these launches, data[0] holds the result.
//   whole_tree   The launch has one block. Combines data[0 .. n) in place and writes the result to total[0], or identity() if n is 0.
#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    // TODO 1: thread 0 combines all elements from left to right and writes the result; the other threads do nothing
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x; // this thread's index in the launch: 0, 1, 2, ...
    size_t k = 2 * (size_t)stride * i;                  // the index of the thread's left element; size_t, because 2 * stride * i may exceed 32 bits

    // TODO 2: combine data[k + stride] into data[k], if that element exists
}

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    unsigned t = threadIdx.x;

    // TODO 3: start with `count` = n and loop while count > 1; in each pass, stride is half of count, rounded up, and becomes the next count
    // TODO 4: in the loop, combine data[i + stride] into data[i] if i + stride < count. Thread t does this for i = t, t + blockDim.x, ...
    // TODO 5: after each pass, wait for all threads of the block
    // TODO 6: thread 0 writes the result
}
