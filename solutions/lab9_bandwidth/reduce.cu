// Lab 9: as fast as memory allows.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. gridDim.x * M is at most 2^29. n ranges from 0 to 2^31. The input is read-only.
// The address `in` need not be aligned to 16 bytes. The launch provides dynamic shared memory for M/32 values.
//   reduce   One launch combines in[0 .. n) and writes total[0]. partial[0 .. gridDim.x) has room for the blocks' results. The host launches
//            the kernel repeatedly, back to back, with any arguments, and resets nothing.
// The next two variables determine the launch whose speed is graded. The grader reads them from the compiled file and launches one
// block for every block_size vectors, but at most blocks_per_multiprocessor blocks on each of the 132 SMs. If one block is enough, it gets only
// block_size / 4 threads, but at least 32.
#include "reduce.h"

#ifdef SOLUTION
__constant__ unsigned block_size = 1024;             // threads: a power of two from 32 to 1024
__constant__ unsigned blocks_per_multiprocessor = 1; // an SM holds at most 2048 threads and 32 blocks
#else
// TODO 1: choose both values; 0 means that the value has not been chosen
__constant__ unsigned block_size = 0;                // threads: a power of two from 32 to 1024
__constant__ unsigned blocks_per_multiprocessor = 0; // an SM holds at most 2048 threads and 32 blocks
#endif
enum { LOADS = 8 }; // number of vector loads that a thread has in flight at once

// A vector holds 16 bytes, which one instruction loads. Its address must be aligned to 16 bytes.
enum { WIDTH = 16 / sizeof(value_t) };
struct __align__(16) vector {
    value_t x[WIDTH];
};
static __device__ value_t combine_vector(value_t sum, vector v) {
#pragma unroll
    for (unsigned k = 0; k < WIDTH; k++) sum = combine(sum, v.x[k]);
    return sum;
}
#ifdef SOLUTION
// The L2 cache of an H200 holds 50 MB in two partitions, and a line that both partitions read occupies space in both. Therefore, only the first
// 28 MiB of the input stay in the cache for the next reader. Later lines are marked evict-first; otherwise, each would evict the line that is needed next.
enum { KEPT = (28 << 20) / 16 }; // vectors
static __device__ vector load_streaming(const vector *p) {
    const int4 bits = __ldcs((const int4 *)p);
    return *(const vector *)&bits;
}
#endif

// Combines this thread's share of in[0 .. n), which consists of a head, whole vectors and a tail.
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    value_t sum = identity();
#ifdef SOLUTION
    unsigned head = (WIDTH - (size_t)in / sizeof(value_t) % WIDTH) % WIDTH; // elements before the first 16-byte boundary
    if (head > n) head = n;
    unsigned vectors = (n - head) / WIDTH, tail = head + vectors * WIDTH;
    const vector *body = (const vector *)(in + head);

    value_t first = i < head ? in[i] : identity(), last = tail + i < n ? in[tail + i] : identity(); // combined at the end
    vector a[LOADS];
    unsigned v = i;
    for (; v + (LOADS - 1) * threads < vectors; v += LOADS * threads) {
        if (v < KEPT) {
#pragma unroll
            for (unsigned k = 0; k < LOADS; k++) a[k] = body[v + k * threads]; // all loads are in flight before the first value is used
        } else {
#pragma unroll
            for (unsigned k = 0; k < LOADS; k++) a[k] = load_streaming(&body[v + k * threads]);
        }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) sum = combine_vector(sum, a[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) { // the remaining vectors, too few for a full round
        if (v + k * threads >= vectors) break;
        a[k] = body[v + k * threads];
    }
#pragma unroll
    for (unsigned k = 0; k < LOADS; k++) {
        if (v + k * threads >= vectors) break;
        sum = combine_vector(sum, a[k]);
    }
    sum = combine(sum, combine(first, last));
#else

    // TODO 2: compute `head`, the number of elements before the first 16-byte boundary, but at most n
    // TODO 3: (n - head) / WIDTH vectors begin at in + head. Thread i combines vectors i, i + threads, i + 2 * threads, ..., one at a time
    // TODO 4: before that loop, add a loop of full rounds: load LOADS vectors into an array, combine them, and advance by LOADS * threads
    // TODO 5: replace the simple loop: less than a full round remains, so load the remaining vectors into the array, then combine them
    // TODO 6: the head and the tail each have fewer than WIDTH elements; the first threads of the grid combine one element of each
#endif
    return sum;
}

// The warp and block trees of lab 6.
static __device__ value_t warp_reduce(value_t x) {
#ifdef SOLUTION
#pragma unroll
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
#else

    // TODO 7: insert your loop from lab 6
#endif
    return x; // the result, in lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
#ifdef SOLUTION
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x; // the result, in thread 0
#else

    // TODO 8: insert your two levels from lab 6; return the result in thread 0
    return identity();
#endif
}

#ifdef SOLUTION
// Small inputs: a single block loads at most FEW vectors per thread, all in flight together. The constant thread count saves a tenth of the time.
enum { SMALL_BLOCK = 256, SMALL = 4096 /* elements */, FEW = SMALL / (SMALL_BLOCK * WIDTH) };
template <unsigned COUNT> static __device__ value_t combine_pairs(value_t *x) { // COUNT is a power of two
#pragma unroll
    for (unsigned half = COUNT / 2; half >= 1; half /= 2)
#pragma unroll
        for (unsigned k = 0; k < half; k++) x[k] = combine(x[k], x[k + half]);
    return x[0];
}
static __device__ void reduce_small(const value_t *in, value_t *s, value_t *total, unsigned n) {
    unsigned t = threadIdx.x, head = (WIDTH - (size_t)in / sizeof(value_t) % WIDTH) % WIDTH;
    unsigned v = t / 32 * 32 * FEW + t % 32; // a warp loads contiguous vectors
    if (head > n) head = n;
    unsigned vectors = (n - head) / WIDTH, tail = head + vectors * WIDTH;
    const vector *body = (const vector *)(in + head);
    vector a[FEW];
    value_t sums[FEW], warps[SMALL_BLOCK / 32];
#pragma unroll
    for (unsigned k = 0; k < FEW; k++)
        if (v + k * 32 < vectors) a[k] = body[v + k * 32];
        else
#pragma unroll
            for (unsigned w = 0; w < WIDTH; w++) a[k].x[w] = identity();
    value_t ends = combine(t < head ? in[t] : identity(), tail + t < n ? in[tail + t] : identity());
#pragma unroll
    for (unsigned k = 0; k < FEW; k++) sums[k] = combine_pairs<WIDTH>(a[k].x);
    value_t sum = warp_reduce(combine(combine_pairs<FEW>(sums), ends));
    if (t % 32 == 0) s[t / 32] = sum;
    __syncthreads();
    if (t > 0) return;
#pragma unroll
    for (unsigned w = 0; w < SMALL_BLOCK / 32; w++) warps[w] = s[w];
    total[0] = combine_pairs<SMALL_BLOCK / 32>(warps);
}
#endif
__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Draws and returns a ticket. One instruction replaces lab 7's fence, atomicAdd and second fence: acq_rel makes all writes before
// this ticket visible to a thread with a later ticket; gpu extends this to all blocks. This saves half a microsecond.
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
    asm volatile("griddepcontrol.wait;" ::: "memory"); // if launches may overlap, wait until the previous launch has written its results
#endif
#ifdef SOLUTION
    if (gridDim.x == 1 && blockDim.x == SMALL_BLOCK && n <= SMALL) {
        reduce_small(in, s, total, n);
        return;
    }
#endif
    value_t sum = block_reduce(thread_reduce(in, n), s);
    if (blocks == 1) { // this is the only block
        if (t == 0) total[0] = sum;
        return;
    }

    // As in lab 7, the last block combines the partials, but with a single warp, which needs neither __syncthreads() nor shared memory.
    if (t >= 32) return;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        before = take_ticket();
    }
    if (__shfl_sync(0xffffffff, before, 0) != blocks - 1) return;
    __syncwarp(); // lane 0 drew the ticket; this barrier makes the writes that lane 0 sees visible to all lanes
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
