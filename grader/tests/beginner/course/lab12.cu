#include "reduce.h"
#include "tensor.h" // half_t, half_to_float, matrix_multiply; explains which lane holds which part of the matrices

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// The warp's tree and the block's tree of lab 6.
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

static __device__ value_t warp_share(const half_t *in, unsigned n) {
    unsigned laneId = threadIdx.x & 31;
    unsigned warpId = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned nwarps = gridDim.x * blockDim.x / 32;
    unsigned nvec = n / WIDTH;
    unsigned rounds = (nvec + 31) / 32;
    half_t one = float_to_half(1.0f);
    unsigned b[2] = {pack_halves(one, one), pack_halves(one, one)};
    float c[4] = {0, 0, 0, 0};
    for (unsigned r = warpId; r < rounds; r += nwarps) {
        unsigned v = r * 32 + laneId;
        fragment a;
        if (v < nvec) {
            a = load_fragment(&in[v * WIDTH]);
        } else {
            a.word[0] = 0;
            a.word[1] = 0;
            a.word[2] = 0;
            a.word[3] = 0;
        }
        matrix_multiply(c, a.word, b);
    }
    value_t mine = 0;
    if (laneId % 4 == 0) {
        mine += c[0];
        mine += c[2];
    }
    if (warpId == 0 && laneId < n % WIDTH) {
        mine += half_to_float(in[nvec * WIDTH + laneId]);
    }
    return mine;
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
