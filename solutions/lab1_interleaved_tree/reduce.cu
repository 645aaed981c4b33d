// Lab 1: the interleaved tree, in place in global memory.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. n ranges from 0 to 2^31. Block b owns the elements of
// data[2*M*b .. 2*M*(b+1)) whose index is below n. It combines them in place (it may overwrite data) and writes the result to
// partial[b], or identity() if it owns no element.
#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
#ifdef SOLUTION
    unsigned i = 2 * (blockIdx.x * blockDim.x + t); // thread t owns the even element 2t of its block's segment

    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0) { // only every stride-th thread works, so the warp diverges
            if (i + stride < n) data[i] = combine(data[i], data[i + stride]);
        }
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();
#else
    unsigned i = 2 * (blockIdx.x * blockDim.x + t); // thread t owns the even element 2t of its block's segment

    // TODO 1: write a loop over stride = 1, 2, 4, ... up to and including blockDim.x
    // TODO 2: in the loop, each thread whose t is a multiple of stride combines data[i + stride] into data[i], if data[i + stride] exists
    // TODO 3: after each pass, wait for the whole block
    // TODO 4: thread 0 writes the block's result to partial[blockIdx.x], or identity() if the segment is empty
#endif
}
