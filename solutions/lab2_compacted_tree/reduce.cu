// Lab 2: the compacted tree, in place in global memory.
//
// Contract (the same as in lab 1). M = blockDim.x is a power of two from 32 to 1024. n ranges from 0 to 2^31. Block b owns the elements of
// data[2*M*b .. 2*M*(b+1)) whose index is below n. It combines them in place and writes the result to partial[b], or identity() if it
// owns no element. The operator is commutative, so the block may combine its elements in any order.
#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x; // the first element of this block's segment
#ifdef SOLUTION
    unsigned i = start + t; // thread t owns element t, so the working threads stay contiguous

    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        if (t < stride) { // whole warps become idle; a warp diverges only when fewer than 32 threads work
            if (i + stride < n) data[i] = combine(data[i], data[i + stride]);
        }
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = i < n ? data[i] : identity();
#else

    // TODO 1: write a loop over stride = blockDim.x, blockDim.x/2, ... down to and including 1
    // TODO 2: in the loop, threads with t < stride combine data[i + stride] into data[i], if data[i + stride] exists; i is the thread's own element
    // TODO 3: after each pass, wait for all threads of the block
    // TODO 4: thread 0 writes the block's result to partial[blockIdx.x], or identity() if the segment is empty
#endif
}
