// Lab 2: the compacted tree, in place in global memory.
//
// Contract (the same as in lab 1). M = blockDim.x is a power of two from 32 to 1024. n ranges from 0 to 2^31. Block b owns the elements of
// data[2*M*b .. 2*M*(b+1)) whose index is below n. It combines them in place and writes the result to partial[b], or identity() if it
// owns no element. The operator is commutative, so the block may combine its elements in any order.
#include "reduce.h"

__global__ void reduce(value_t *data, value_t *partial, unsigned n) {
    unsigned t = threadIdx.x;
    unsigned start = 2 * blockDim.x * blockIdx.x; // the first element of this block's segment

    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        if (t < stride && start + t + stride < n)
            data[start + t] = combine(data[start + t], data[start + t + stride]);
        __syncthreads();
    }
    if (t == 0) {
        value_t result = identity();
        if (start < n) result = data[start];
        partial[blockIdx.x] = result;
    }
}
