// Lab 7: the last block finishes.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. n ranges from 0 to 2^31. The input is read-only.
// The launch provides dynamic shared memory for M/32 values.
//   reduce   One launch combines in[0 .. n) and writes total[0]. partial[0 .. gridDim.x) has room for the blocks' results; its contents before
//            and after the launch do not matter. The host launches the kernel repeatedly, back to back, with any arguments, and resets nothing.
#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Reduces the M values `x` of the block's threads. Only thread 0's return value is used.
static __device__ value_t block_reduce(value_t x, value_t *s) {

    // TODO 1: insert your two levels from lab 6
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = block_reduce(sum, s);

    // TODO 2: thread 0 writes the partial, executes a fence, draws a ticket with atomicAdd(&ticket, 1), and stores in `last` whether it drew the last ticket
    // TODO 3: all threads of the block read `last`; every block but the last is done
    // TODO 4: the last block reduces partial[0 .. gridDim.x), however many there are; thread 0 writes the total and resets the ticket
}
