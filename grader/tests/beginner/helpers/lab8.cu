#include "reduce.h"

__device__ unsigned done = 0;

static __device__ value_t block_ordered(const value_t *a, unsigned from, unsigned to, value_t *sh) {
    unsigned tid = threadIdx.x, M = blockDim.x;
    unsigned len = from < to ? to - from : 0;
    unsigned piece = (len + M - 1) / M;
    unsigned i = from + tid * piece;
    unsigned stop = min(i + piece, to);
    value_t v = identity();
    while (i < stop) {
        v = combine(v, a[i]);
        i++;
    }
    sh[tid] = v;
    __syncthreads();
    unsigned gap = 1;
    while (gap < M) {
        unsigned l = tid * 2 * gap;
        unsigned r = l + gap;
        if (r < M) sh[l] = combine(sh[l], sh[r]);
        __syncthreads();
        gap *= 2;
    }
    return sh[0];
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t sh[];
    __shared__ unsigned drawn;
    unsigned share = (n + gridDim.x - 1) / gridDim.x;
    unsigned from = min(blockIdx.x * share, n);
    unsigned to = min(from + share, n);
    value_t v = block_ordered(in, from, to, sh);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        drawn = atomicAdd(&done, 1u);
    }
    __syncthreads();
    if (drawn + 1 != gridDim.x) return;
    __threadfence();
    v = block_ordered(partial, 0, gridDim.x, sh);
    if (threadIdx.x == 0) {
        total[0] = v;
        done = 0;
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t sh[];
    unsigned me = threadIdx.x;
    unsigned share = (n + 31) / 32;
    unsigned from = min(me * share, n), to = min(from + share, n);
    value_t v = identity();
    while (from < to) v = combine(v, in[from++]);
    sh[me] = v;
    __syncwarp();
    unsigned gap = 1;
    while (gap < 32) {
        if (me % (2 * gap) == 0) sh[me] = combine(sh[me], sh[me + gap]);
        __syncwarp();
        gap += gap;
    }
    if (me == 0) *out = sh[0];
}
