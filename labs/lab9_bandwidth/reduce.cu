// Lab 9: as fast as memory allows.
//
// Contract. M = blockDim.x, a power of two from 32 to 1024; any number of blocks, gridDim.x; any n from 0 up to 2^31; the input is read only,
// and `in` is the address of an element, not necessarily a multiple of 16. The launch provides M/32 values of dynamic shared memory.
//   reduce   one launch combines in[0 .. n) and writes total[0]. partial[0 .. gridDim.x) is for the blocks' results. The kernel is launched any
//            number of times back to back, and the host resets nothing.
// This file chooses how it is launched for speed. The grader reads these two variables of the module and launches one block for
// every block_size vectors, but at most blocks_per_multiprocessor on each SM (the GPU has 132).
#include "reduce.h"

// TODO 1: choose; 0 means that nothing is chosen
__constant__ unsigned block_size = 0;                // threads: a power of two from 32 to 1024
__constant__ unsigned blocks_per_multiprocessor = 0; // an SM holds at most 2048 threads and 32 blocks
enum { LOADS = 8 }; // vectors that a thread has in flight at once

// 16 bytes, loaded by one instruction; its address must be a multiple of 16.
enum { WIDTH = 16 / sizeof(value_t) };
struct __align__(16) vector {
    value_t x[WIDTH];
};
static __device__ value_t combine_vector(value_t sum, vector v) {
#pragma unroll
    for (unsigned k = 0; k < WIDTH; k++) sum = combine(sum, v.x[k]);
    return sum;
}

// This thread's share of in[0 .. n): the elements before the first whole vector, whole vectors, the elements after the last.
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    value_t sum = identity();

    // TODO 2: `head`: how many elements precede the first address that is a multiple of 16; at most n
    // TODO 3: (n - head) / WIDTH vectors begin at in + head. Thread i combines vectors i, i + threads, i + 2 * threads, ..., one at a time
    // TODO 4: before that loop, another for full rounds: load LOADS vectors into an array, then combine them, then advance by LOADS * threads
    // TODO 5: less than a full round is left: load what there is of it into the array, then combine it; this replaces the loop of step 3
    // TODO 6: head and tail have fewer than WIDTH elements each: the first threads of the grid combine one of each
    return sum;
}

// Lab 6: the warp's tree on shuffles, and the block's.
static __device__ value_t warp_reduce(value_t x) {
#pragma unroll
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x; // of lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x; // of thread 0
}

__device__ unsigned ticket; // how many blocks of this launch have written their partial; 0 between launches

// Returns how many blocks took a ticket before. One instruction replaces lab 7's fence, atomicAdd and second fence: the holder of a later ticket
// sees what was written before this one (acq_rel), on the whole GPU (gpu). It is half a microsecond faster.
static __device__ unsigned take_ticket() {
    unsigned before;
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %1; atom.global.acq_rel.gpu.add.u32 %0, [at], 1; }"
                 : "=r"(before)
                 : "l"(&ticket)
                 : "memory");
    return before;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    unsigned t = threadIdx.x, blocks = gridDim.x, before = 0;
    value_t sum = block_reduce(thread_reduce(in, n), s);
    if (blocks == 1) { // no other block
        if (t == 0) total[0] = sum;
        return;
    }

    // As in lab 7, but one warp finishes: no __syncthreads(), no shared memory.
    if (t >= 32) return;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        before = take_ticket();
    }
    if (__shfl_sync(0xffffffff, before, 0) != blocks - 1) return;
    __syncwarp(); // lane 0 drew the ticket: now all lanes see what it sees
    sum = identity();
    for (unsigned b = 0; b < blocks; b += 32 * LOADS) {
        const value_t *x = partial + b + t;
        value_t a[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) a[k] = t + 32 * k < blocks - b ? x[32 * k] : identity();
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) sum = combine(sum, a[k]);
    }
    sum = warp_reduce(sum);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
