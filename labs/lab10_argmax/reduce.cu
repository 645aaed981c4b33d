// Lab 10: where the largest lies.
//
// Contract. An element is a pair {value, index}; the result is the pair that comes first: a NaN before any number; then the smallest value (argmin)
// or the largest (argmax): before(x, y) of reduce.h says which; of equal values, and of NaNs, the one with the lowest index. No two elements have
// the same index, and indices need not ascend. M = blockDim.x, a power of two from 32 to 1024; any number of blocks, gridDim.x; any n
// from 0 up to 2^31: identity() for 0. The input is read only. The launch provides M/32 values of dynamic shared memory.
//   reduce   one launch writes the result of in[0 .. n) to total[0]. partial[0 .. gridDim.x) is for the blocks' results. The kernel is launched
//            any number of times back to back, and the host resets nothing.
#include "reduce.h"

__device__ unsigned ticket; // how many blocks of this launch have written their partial; 0 between launches

// Returns the pair that comes first. combine(a, b) is combine(b, a), and identity() changes nothing.
static __device__ value_t combine(value_t a, value_t b) {

    // TODO 1: a NaN wins; then the value that comes first, by before(); then the lower index
    return a;
}

// The pair of lane + offset.
static __device__ value_t shuffle_down(value_t x, unsigned offset) {

    // TODO 2: a shuffle moves one number: shuffle the value and the index one after the other
    return x;
}

// Reduces the block's M pairs `x`, one per thread. Only thread 0's return value is used.
static __device__ value_t block_reduce(value_t x, value_t *s) {

    // TODO 3: your two levels of lab 6, by shuffle_down
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // this block drew the last ticket; all its threads must know
    unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    value_t best = identity();
    for (; i + threads < n; i += 2 * threads) best = combine(best, combine(in[i], in[i + threads])); // two loads in flight at once
    if (i < n) best = combine(best, in[i]);
    best = block_reduce(best, s);

    // TODO 4: thread 0 writes the partial, executes a fence, draws a ticket with atomicAdd(&ticket, 1) and stores in `last` whether it is the last
    // TODO 5: all threads of the block read `last`; all blocks but the last are done
    // TODO 6: the last block reduces partial[0 .. gridDim.x), however many there are; thread 0 writes the total and resets the ticket
}
