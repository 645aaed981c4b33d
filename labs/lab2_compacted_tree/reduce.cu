// Lab 2: the compacted tree, in place in global memory.
//
// Contract, as in lab 1. Block b owns the segment data[2*M*b .. 2*M*(b+1)), M = blockDim.x; only elements below n
// exist. It combines them in place and leaves the result in partial[b]; an empty segment leaves identity(). Any n from 0 up to 2^31; M
// is a power of two from 32 to 1024. The operator commutes, so elements may be combined in any order.
#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x; // the first element of this block's segment

    // TODO 1: a loop over stride = blockDim.x, blockDim.x/2, ... down to and including 1
    // TODO 2: in it, threads below stride combine data[i + stride] into data[i], where i is their own element, if data[i + stride] exists
    // TODO 3: after each pass, wait for the whole block
    // TODO 4: thread 0 writes the block's result to partial[blockIdx.x], or identity() if the segment is empty
}
