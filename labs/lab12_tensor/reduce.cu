// Lab 12: sums by matrix products.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. n ranges from 0 to 2^31. The elements are finite halves.
// The input is read-only and aligned to 16 bytes. value_t is float. The launch provides dynamic shared memory for M/32 values.
//   reduce   One launch adds in[0 .. n), as accurately as a sum of floats, and writes total[0]. partial[0 .. gridDim.x) has room for the blocks' results. The
//            host launches the kernel repeatedly, back to back, with any arguments, and resets nothing.
// This kernel needs compute capability 8.0 or later. Matrix products must add all elements of a launch, except for at most 255.
#include "reduce.h"
#include "tensor.h" // half_t, half_to_float, matrix_multiply; documents which lane holds which part of the matrices

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Lab 6's trees for a warp and for a block.
static __device__ value_t warp_reduce(value_t x) {

    // TODO 1: insert your loop from lab 6
    return x; // the result, in lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {

    // TODO 2: insert your two levels from lab 6; return the result in thread 0
    return identity();
}

enum { WIDTH = 8 }; // halves per 16-byte vector. A lane loads its fragment of A, one vector, with one instruction

// Adds this warp's share of in[0 .. n). The return values of the 32 lanes add up to the sum of this share.
static __device__ value_t warp_share(const half_t *in, unsigned n) {
    unsigned lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, vectors = n / WIDTH;
    float c[4] = {0, 0, 0, 0};
    value_t sum = identity();

    // TODO 3: pack the half 1.0 into a word, twice; build this lane's fragment of B, a matrix of ones, from such words. 1.0 has sign 0, exponent 15, fraction 0
    // TODO 4: write a loop over vectors i, i + threads, i + 2 * threads, ... of WIDTH halves. Load vector i as this lane's fragment of A, and multiply. A
    //         lane past the last vector uses zeros. As long as one lane of the warp has a vector, all 32 must multiply
    // TODO 5: all 8 columns of C hold the same 16 row sums. The lanes' sums together must include each row once: which lanes add which elements of c?
    // TODO 6: the last n % WIDTH elements do not fill a vector: the first threads of the grid each add one of them to `sum`
    return sum;
}

__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x;
    value_t sum = block_reduce(warp_share(in, n), s);

    // TODO 7: finish as in lab 7: the last block reduces the partials
}
