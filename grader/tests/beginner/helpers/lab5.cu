#include "reduce.h"

static __device__ value_t gather(const value_t *in, unsigned from, unsigned step, unsigned n) {
    value_t acc = identity();
    unsigned p = from;
    while (p < n) {
        acc = combine(acc, in[p]);
        p += step;
    }
    return acc;
}

static __device__ void fold(value_t *w, unsigned me) {
    unsigned d = 16;
    while (d > 0) {
        if (me < d) {
            w[me] = combine(w[me], w[me + d]);
        }
        __syncwarp();
        d >>= 1;
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t mem[];
    unsigned tid = threadIdx.x;
    unsigned me = tid & 31;
    unsigned w = tid >> 5;
    unsigned nw = blockDim.x >> 5;
    value_t *mine = mem + w * 32;
    value_t *results = mem + blockDim.x;
    mine[me] = gather(in, blockIdx.x * blockDim.x + tid, gridDim.x * blockDim.x, n);
    __syncwarp();
    fold(mine, me);
    if (me == 0) results[w] = mine[0];
    __syncthreads();
    if (w == 0) {
        if (me < nw)
            mem[me] = results[me];
        else
            mem[me] = identity();
        __syncwarp();
        fold(mem, me);
        if (me == 0) partial[blockIdx.x] = mem[0];
    }
}

__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t mem[];
    unsigned me = threadIdx.x;
    mem[me] = gather(in, me, 32, n);
    __syncwarp();
    unsigned d = 16;
    if (me < 16) {
        while (d > 0) {
            value_t a = mem[me], b = mem[me + d];
            __syncwarp(0xffff);
            mem[me] = combine(a, b);
            __syncwarp(0xffff);
            d >>= 1;
        }
    }
    if (me == 0) *out = mem[0];
}

__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t mem[];
    unsigned me = threadIdx.x;
    mem[me] = gather(in, me, 32, n);
    if (me < 16) mem[me + 32] = identity();
    __syncwarp();
    unsigned d = 16;
    while (d > 0) {
        value_t a = mem[me], b = mem[me + d];
        __syncwarp();
        mem[me] = combine(a, b);
        __syncwarp();
        d >>= 1;
    }
    if (me == 0) *out = mem[0];
}

__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t mem[];
    unsigned me = threadIdx.x;
    unsigned piece = (n + 31) / 32;
    unsigned from = me * piece, to = min(from + piece, n);
    value_t acc = identity();
    while (from < to) {
        acc = combine(acc, in[from]);
        from++;
    }
    mem[me] = acc;
    __syncwarp();
    unsigned d = 1;
    while (d < 32) {
        if (me % (d * 2) == 0) mem[me] = combine(mem[me], mem[me + d]);
        __syncwarp();
        d *= 2;
    }
    if (me == 0) *out = mem[0];
}
