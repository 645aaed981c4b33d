// Lab 12: sums by matrix products.
//
// Contract. M = blockDim.x, a power of two from 32 to 1024; any number of blocks, gridDim.x; any n from 0 up to 2^31. The elements are finite halves,
// the input is read only, and `in` is a multiple of 16 bytes. value_t is float. The launch provides M/32 values of dynamic shared memory.
//   reduce   one launch adds in[0 .. n) and writes total[0], as exact as a sum of floats. partial[0 .. gridDim.x) is for the blocks' results. The
//            kernel is launched any number of times back to back, and the host resets nothing.
// Compute capability 8.0. Products of matrices add the elements; fewer than 256 elements of a launch may be added in another way.
#include "reduce.h"
#include "tensor.h" // half_t, half_to_float, matrix_multiply: which lane holds which part of the matrices

__device__ unsigned ticket; // how many blocks of this launch have written their partial; 0 between launches

// Lab 6: the warp's tree on shuffles, and the block's.
static __device__ value_t warp_reduce(value_t x) {
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

enum { WIDTH = 8 }; // halves in 16 bytes: one load of a lane, and its fragment of A

// Adds this warp's share of in[0 .. n). The sum of what its 32 lanes return is the sum of that share.
static __device__ value_t warp_share(const half_t *in, unsigned n) {
    unsigned lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, vectors = n / WIDTH;
    float c[4] = {0, 0, 0, 0};
    value_t sum = identity();

    // TODO 1: a word of two ones as halves, and from it this lane's fragment of B: 16 rows of 8 ones. A one has sign 0, exponent 15, fraction 0
    // TODO 2: vectors i, i + threads, i + 2 * threads, ... of WIDTH halves: load vector i, this lane's fragment of A, and multiply. A lane without a vector,
    //         after the last one, has zeros. As long as one lane of the warp has a vector, all 32 must multiply
    // TODO 3: each row of C has that row's sum in all 8 columns. Let `sum` have each of the 16 rows once in the warp: which lanes, and which c?
    // TODO 4: the last n % WIDTH elements fill no vector: one thread each of the grid adds one to its `sum`
    return sum;
}

__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // this block drew the last ticket; all its threads must know
    unsigned t = threadIdx.x;
    value_t sum = block_reduce(warp_share(in, n), s);

    // Lab 7: the last block reduces the partials.
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence(); // a block that sees this ticket sees the partial
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence(); // this block reads the partials after the ticket
    sum = identity();
    for (unsigned b = t; b < gridDim.x; b += blockDim.x) sum = combine(sum, partial[b]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0; // for the next launch
    }
}
