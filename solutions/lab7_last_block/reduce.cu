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
#ifdef SOLUTION
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = lane < warps ? s[lane] : identity();
        for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    }
#else

    // TODO 1: insert your two levels from lab 6
#endif
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = block_reduce(sum, s);

#ifdef SOLUTION
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence(); // a block that draws a later ticket also sees the partial
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence(); // orders the ticket before the loads of the partials
    sum = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0; // for the next launch
    }
#else
    // TODO 2: thread 0 writes the partial, executes a fence, draws a ticket with atomicAdd(&ticket, 1), and stores in `last` whether it drew the last ticket
    // TODO 3: all threads of the block read `last`; every block but the last is done
    // TODO 4: the last block reduces partial[0 .. gridDim.x), however many there are; thread 0 writes the total and resets the ticket
#endif
}
