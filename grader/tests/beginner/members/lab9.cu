#include "reduce.h"
__constant__ unsigned block_size = 512;
__constant__ unsigned blocks_per_multiprocessor = 2;
enum { LOADS = 8 };
enum { WIDTH = 16 / sizeof(value_t) };
struct __align__(16) vector {
    value_t x[WIDTH];
};
static __device__ value_t combine_vector(value_t sum, vector v) {
#pragma unroll
    for (unsigned k = 0; k < WIDTH; k++) sum = combine(sum, v.x[k]);
    return sum;
}
static __device__ unsigned elements_before_boundary(const value_t *p, unsigned n) {
    unsigned past = (unsigned)((size_t)p % 16) / sizeof(value_t);
    unsigned head = past == 0 ? 0 : WIDTH - past;
    return head < n ? head : n;
}
static __device__ value_t thread_reduce(const value_t *in, unsigned n) {
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    value_t sum = identity();
    unsigned head = elements_before_boundary(in, n);
    unsigned count = (n - head) / WIDTH;
    const vector *v = (const vector *)(in + head);
    unsigned at = me;
    vector buf[LOADS];
    while (at + (LOADS - 1) * threads < count) {
#pragma unroll
        for (int k = 0; k < LOADS; k++) buf[k] = v[at + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) sum = combine_vector(sum, buf[k]);
        at += LOADS * threads;
    }
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (at + k * threads < count) buf[k] = v[at + k * threads];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (at + k * threads < count) sum = combine_vector(sum, buf[k]);
    unsigned tail = head + count * WIDTH;
    if (me < head) sum = combine(sum, in[me]);
    if (tail + me < n) sum = combine(sum, in[tail + me]);
    return sum;
}
static __device__ value_t warp_reduce(value_t x) {
#pragma unroll
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x;
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x;
}
__device__ unsigned ticket;
static __device__ unsigned take_ticket() {
    unsigned before;
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %1; atom.global.acq_rel.gpu.add.u32 %0, [at], 1; }"
                 : "=r"(before)
                 : "l"(&ticket)
                 : "memory");
    return before;
}
__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x, blocks = gridDim.x, before = 0;
    value_t sum = block_reduce(thread_reduce(in, n), s);
    if (blocks == 1) {
        if (t == 0) total[0] = sum;
        return;
    }
    if (t >= 32) return;
    if (t == 0) {
        partial[blockIdx.x] = sum;
        before = take_ticket();
    }
    if (__shfl_sync(0xffffffff, before, 0) != blocks - 1) return;
    __syncwarp();
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
