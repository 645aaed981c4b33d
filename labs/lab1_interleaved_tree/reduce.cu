// Lab 1: the interleaved tree, in place in global memory.
//
// Contract. Block b owns the segment data[2*M*b .. 2*M*(b+1)), M = blockDim.x; only elements below n exist.
// It combines them in place and leaves the result in partial[b]; an empty segment leaves identity(). Elements of data may be
// overwritten. Any n from 0 up to 2^31; M is a power of two from 32 to 1024.
#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned i = 2 * (blockIdx.x * blockDim.x + t); // thread t owns the even element 2t of its block's segment

    // TODO 1: a loop over stride = 1, 2, 4, ... up to and including blockDim.x
    // TODO 2: in it, threads whose t is a multiple of stride combine data[i + stride] into data[i], if that element exists
    // TODO 3: after each pass, wait for the whole block
    // TODO 4: thread 0 writes the block's result to partial[blockIdx.x], or identity() if the segment is empty
}
