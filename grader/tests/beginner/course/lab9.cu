#include "reduce.h"

__constant__ unsigned block_size = 1024;             // threads: a power of two from 32 to 1024
__constant__ unsigned blocks_per_multiprocessor = 1; // an SM holds at most 2048 threads and 32 blocks
enum { LOADS = 8 }; // number of vector loads that a thread has in flight together

// 16 bytes, which one instruction loads from an address that must be a multiple of 16.
enum { WIDTH = 16 / sizeof(value_t) };
struct __align__(16) vector {
    value_t x[WIDTH];
};
static __device__ value_t combine_vector(value_t sum, vector v) {
#pragma unroll
    for (unsigned k = 0; k < WIDTH; k++) sum = combine(sum, v.x[k]);
    return sum;
}
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned nthreads = gridDim.x * blockDim.x;
    unsigned skip = 0;
    while (skip < n && ((size_t)(in + skip)) % 16 != 0) skip++;
    const vector *v16 = (const vector *)(in + skip);
    unsigned nvec = (n - skip) / WIDTH;
    unsigned done = skip + nvec * WIDTH;
    value_t acc = identity();
    vector buf[LOADS];
    unsigned rounds = nvec / LOADS / nthreads; // the product of both may be 2^32
    for (unsigned r = 0; r < rounds; r++) {
        unsigned base = r * LOADS * nthreads + gid;
#pragma unroll
        for (int k = 0; k < LOADS; k++) buf[k] = v16[base + k * nthreads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) acc = combine_vector(acc, buf[k]);
    }
    for (unsigned v = rounds * LOADS * nthreads + gid; v < nvec; v += nthreads) {
        acc = combine_vector(acc, v16[v]);
    }
    if (gid < skip) acc = combine(acc, in[gid]);
    if (gid < n - done) acc = combine(acc, in[done + gid]);
    return acc;
}

// The warp's tree and the block's tree of lab 6.
static __device__ value_t warp_reduce(value_t x) {
#pragma unroll
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

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Draws a ticket and returns its number. One instruction replaces lab 7's fence, atomicAdd and second fence: acq_rel makes all
// writes before this ticket visible to a thread with a later ticket; gpu extends this to all blocks. This saves half a microsecond.
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
#if defined SOLUTION && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory"); // if the host lets launches overlap, wait until the previous launch has written everything
#endif
    value_t sum = block_reduce(thread_reduce(in, n), s);
    if (blocks == 1) { // this is the only block
        if (t == 0) total[0] = sum;
        return;
    }

    // As in lab 7, the last block finishes, but with a single warp, which needs neither __syncthreads() nor shared memory.
    if (t >= 32) return;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        before = take_ticket();
    }
    if (__shfl_sync(0xffffffff, before, 0) != blocks - 1) return;
    __syncwarp(); // lane 0 drew the ticket; after this barrier, all lanes see the writes that lane 0 sees
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
