// Correct kernels for lab 7 in styles other than the solution's, and evasions. STYLE selects one.
#include "reduce.h"

#if STYLE == 5
// object-oriented, with a tree in static shared memory, because the launch provides memory for only M/32 values
__device__ unsigned ticket;
template <unsigned MAX> struct BlockReduce {
    value_t slot[MAX];
    __device__ value_t operator()(value_t x) {
        const unsigned t = threadIdx.x;
        slot[t] = x;
        __syncthreads();
        for (unsigned d = blockDim.x / 2; d >= 32; d /= 2) {
            if (t < d) slot[t] = x = combine(x, slot[t + d]);
            __syncthreads();
        }
        if (t < 32)
            for (unsigned d = 16; d; d /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, d));
        return x;
    }
};
static __device__ bool draw_ticket() {
    __threadfence();
    bool last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    if (last) ticket = 0;
    return last;
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    __shared__ BlockReduce<1024> block_reduce;
    __shared__ bool last;
    value_t x = identity();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x = combine(x, in[i]);
    x = block_reduce(x);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
        last = draw_ticket();
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    x = identity();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) x = combine(x, partial[i]);
    x = block_reduce(x);
    if (threadIdx.x == 0) *total = x;
}
#else
__device__ unsigned ticket;

#if STYLE == 9
// a barrier such as cuda::barrier before compute capability 8.0: a lane counts its warp, and all wait for the others
static __device__ void wait_for_all(unsigned *arrived, unsigned all) {
    unsigned now;
    __syncwarp();
    __threadfence_block();
    if (threadIdx.x % 32 == 0) atomicAdd_block(arrived, 1u);
    do asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
    while (now < all);
}
#endif
static __device__ value_t block_reduce(value_t x, value_t *s) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (unsigned mask = 16; mask; mask /= 2) x = combine(x, __shfl_xor_sync(~0u, x, mask));
    if (!lane) s[warp] = x;
#if STYLE == 9
    __shared__ unsigned arrived;
    if (threadIdx.x == 0) arrived = 0;
    __syncthreads();
    wait_for_all(&arrived, warps);
#endif
    __syncthreads();
    if (warp) return identity();
    x = lane < warps ? s[lane] : identity();
    for (unsigned mask = 16; mask; mask /= 2) x = combine(x, __shfl_xor_sync(~0u, x, mask));
    return x;
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ unsigned before;
    const unsigned t = threadIdx.x, all = gridDim.x;
#if STYLE == 7 // only blocks that have elements draw tickets
    const unsigned needed = n / blockDim.x + (n % blockDim.x != 0), blocks = n == 0 ? 1 : min(all, needed);
    if (blockIdx.x >= blocks) return;
#else
    const unsigned blocks = all;
#endif
    value_t x = identity();
#pragma unroll 4
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += all * blockDim.x) x = combine(x, in[i]);
#if STYLE == 8 // evasion: one thread per block for a large input on few blocks
    if (n > 2000000 && all < 200) {
        x = identity();
        for (unsigned i = blockIdx.x; t == 0 && i < n; i += all) x = combine(x, in[i]);
    }
#endif
    x = block_reduce(x, s);
#if STYLE == 2 // a single block draws no ticket
    if (blocks == 1) {
        if (t == 0) total[0] = x;
        return;
    }
#endif
    if (t == 0) {
        partial[blockIdx.x] = x;
        __threadfence();
#if STYLE == 1 // the ticket wraps around by itself
        before = atomicInc(&ticket, blocks - 1);
#elif STYLE == 6 // compare-and-swap until no other block has drawn in between
        unsigned held = 0;
        while ((before = atomicCAS(&ticket, held, held + 1)) != held) held = before;
#else
        before = atomicAdd(&ticket, 1);
#endif
    }
#if STYLE == 4 // every thread counts itself in shared memory if there is more than one block
    __shared__ unsigned drawn;
    if (t == 0) drawn = 0;
    __syncthreads();
    if (blocks > 1) atomicAdd(&drawn, 1);
#elif STYLE == 10 // evasion: every thread adds its value in shared memory if there is more than one block
    __shared__ unsigned added;
    if (t == 0) added = 0;
    __syncthreads();
    if (blocks > 1) atomicAdd_block(&added, (unsigned)x);
#endif
    __syncthreads();
    if (before != blocks - 1) return;
    __threadfence();
#if STYLE == 3 // one thread adds the partials, and exchanges the ticket
    if (t == 0) {
        x = identity();
        for (unsigned b = 0; b < blocks; b++) x = combine(x, partial[b]);
        total[0] = x;
        atomicExch(&ticket, 0);
    }
#else
    x = identity();
    for (unsigned b = t; b < blocks; b += blockDim.x) x = combine(x, partial[b]);
    x = block_reduce(x, s);
    if (t == 0) {
        total[0] = x;
        if (STYLE != 1) ticket = 0;
    }
#endif
}
#endif
