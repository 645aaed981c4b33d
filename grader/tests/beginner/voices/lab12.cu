// Lab 12: sums by matrix products.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. gridDim.x is arbitrary. n ranges from 0 to 2^31. The elements are finite halves.
// The input is read-only and aligned to 16 bytes. value_t is float. The launch provides dynamic shared memory for M/32 values.
//   reduce   One launch adds in[0 .. n) and writes total[0], as exact as a sum of floats. partial[0 .. gridDim.x) is for the results of the blocks. The
//            host launches the kernel repeatedly, back to back, and resets nothing.
// This kernel needs compute capability 8.0. It adds the elements with matrix products, except for fewer than 256 elements per launch.
#include "reduce.h"
#include "tensor.h" // half_t, half_to_float, matrix_multiply; documents which lane holds which part of the matrices

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Lab 6's trees for a warp and for a block.
static __device__ value_t warp_reduce(value_t x) {
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x; // the result, in lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x; // the result, in thread 0
}

enum { WIDTH = 8 }; // halves per 16-byte vector. A lane loads a vector with one instruction, as its fragment of A

// Adds this warp's share of in[0 .. n). The return values of the 32 lanes add up to the sum of this share.
static __device__ value_t warp_share(const half_t *in, unsigned n) {
    unsigned lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, vectors = n / WIDTH;
    float c[4] = {0, 0, 0, 0};
    value_t sum = identity();

    half_t one = 0x3c00;
    unsigned b[2];
    b[0] = pack_halves(one, one);
    b[1] = b[0];
    unsigned v = i;
    while (v - lane < vectors) {
        fragment a = {{0u, 0u, 0u, 0u}};
        if (v < vectors) a = load_fragment(in + (size_t)v * WIDTH);
        matrix_multiply(c, a.word, b);
        v += threads;
    }
    bool column0 = lane % 4 == 0;
    if (column0) {
        sum += c[0];
        sum += c[2];
    }
    if (i < n % WIDTH) sum += half_to_float(in[vectors * WIDTH + i]);
    return sum;
}

__global__ void reduce(const half_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this block drew the last ticket; shared, because all threads of the block must know
    unsigned t = threadIdx.x;
    value_t sum = block_reduce(warp_share(in, n), s);

    // As in lab 7, the last block reduces the partials.
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
}
