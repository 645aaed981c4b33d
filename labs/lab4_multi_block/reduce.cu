// Lab 4: just enough blocks.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. n ranges from 0 to 2^31. The input is read-only.
// The launch provides dynamic shared memory for M values.
//   reduce          Thread i of the grid combines in[i], in[i + T], in[i + 2*T], ... for T = gridDim.x * M. Each block writes its
//                   result to partial[blockIdx.x], or identity() if it has no element. A later launch or the host combines the partials.
//   reduce_atomic   does the same, but each block combines its result into total[0], which holds identity() before the launch.
#include "reduce.h"

// Reduces `sum` over the block's M threads. Only thread 0's return value is used. Both kernels call this function.
static __device__ value_t block_reduce(value_t sum, value_t *s) {
    unsigned t = threadIdx.x;

    // TODO 1: run the tree of lab 3 over s[0 .. blockDim.x), as in reduce_one_block
    return identity();
}

// Combines this thread's share of the input in a register and returns the result.
static __device__ value_t grid_stride(const value_t *in, unsigned n) {
    value_t sum = identity();

    // TODO 2: begin at this thread's index in the grid, and advance by the number of threads in the grid
    return sum;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // M values

    // TODO 3: reduce this block's share of the elements; thread 0 writes partial[blockIdx.x]
}

#if REDUCE_HAS_ATOMIC // sum, min, max on integers; sum on floats
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M values

    // TODO 4: do the same as reduce, but thread 0 combines the result into total[0] with atomic_combine(address, value)
}
#endif
