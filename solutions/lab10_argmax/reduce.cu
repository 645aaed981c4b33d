// Lab 10: the index of the largest value.
//
// Contract. An element is a pair {value, index}. The result is the pair that comes first. A NaN comes before any number. Of two numbers, the smaller one
// comes first for argmin and the larger one for argmax; before(x, y) of reduce.h returns whether x comes first. Of equal values and of NaNs, the lower
// index comes first. Indices are unique, but not necessarily in ascending order. M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M
// is at most 2^29. n ranges from 0 to 2^31; for n = 0 the result is identity(). The input is read-only. The launch provides shared memory for M/32 values.
//   reduce   One launch writes the result of in[0 .. n) to total[0]. partial[0 .. gridDim.x) has room for the blocks' results. The host launches
//            the kernel repeatedly, back to back, with any arguments, and resets nothing.
#ifndef REDUCE_OP
#define REDUCE_OP REDUCE_ARGMAX // for compilers other than the grader, which defines it
#endif
#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Returns the pair that comes first. The operator is commutative, and identity() comes after every element.
static __device__ value_t combine(value_t a, value_t b) {
#ifdef SOLUTION
    bool nan_a = a.value != a.value, nan_b = b.value != b.value; // NaN is the only value that differs from itself
    if (nan_a != nan_b) return nan_a ? a : b;
    if (nan_a || a.value == b.value) return a.index < b.index ? a : b;
    return before(a.value, b.value) ? a : b;
#else

    // TODO 1: a NaN wins; otherwise the value that comes first according to before() wins; of equal values, the lower index wins
    return a;
#endif
}

// Returns the pair held by the lane `offset` lanes above this one.
static __device__ value_t shuffle_down(value_t x, unsigned offset) {
#ifdef SOLUTION
    return {__shfl_down_sync(0xffffffff, x.value, offset), __shfl_down_sync(0xffffffff, x.index, offset)};
#else

    // TODO 2: a shuffle moves one number, so shuffle the value and the index one after the other
    return x;
#endif
}

// Reduces the M pairs `x` of the block's threads. Only thread 0's return value is used.
static __device__ value_t block_reduce(value_t x, value_t *s) {
#ifdef SOLUTION
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, shuffle_down(x, offset));
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = lane < warps ? s[lane] : identity();
        for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, shuffle_down(x, offset));
    }
#else

    // TODO 3: insert your two levels from lab 6, with shuffle_down
#endif
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + t;
    value_t best = identity();
    for (; i + threads < n; i += 2 * threads) best = combine(best, combine(in[i], in[i + threads])); // two loads in flight
    if (i < n) best = combine(best, in[i]);
    best = block_reduce(best, s);

#ifdef SOLUTION
    if (t == 0) {
        partial[blockIdx.x] = best;
        __threadfence(); // a block that draws a later ticket also sees the partial
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence(); // orders the ticket before the loads of the partials
    best = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) best = combine(best, partial[b]);
    best = block_reduce(best, s);
    if (t == 0) {
        total[0] = best;
        ticket = 0; // for the next launch
    }
#else
    // TODO 4: thread 0 writes the partial, executes a fence, draws a ticket with atomicAdd(&ticket, 1), and stores in `last` whether it drew the last ticket
    // TODO 5: all threads of the block read `last`; every block but the last is done
    // TODO 6: the last block reduces partial[0 .. gridDim.x), however many there are; thread 0 writes the total and resets the ticket
#endif
}
