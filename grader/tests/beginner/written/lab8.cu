#include "reduce.h"

__device__ unsigned done;

static __device__ value_t piece(const value_t *in, unsigned from, unsigned to, value_t *s) {
    unsigned tid = threadIdx.x, m = blockDim.x;
    value_t sofar = identity();
    while (from < to) {
        unsigned k = from + tid;
        s[tid] = identity();
        if (k < to)
            s[tid] = in[k];
        __syncthreads();
        unsigned d = 1;
        while (d < m) {
            unsigned at = 2 * d * tid;
            if (at < m)
                s[at] = combine(s[at], s[at + d]);
            __syncthreads();
            d *= 2;
        }
        sofar = combine(sofar, s[0]);
        __syncthreads();
        from += m;
    }
    return sofar;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned len = n / gridDim.x;
    if (n % gridDim.x != 0)
        len++;
    unsigned from = len * blockIdx.x;
    if (from > n)
        from = n;
    unsigned to = from + len;
    if (to > n)
        to = n;
    value_t v = piece(in, from, to, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        unsigned ticket = atomicAdd(&done, 1);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        v = piece(partial, 0, gridDim.x, s);
        if (threadIdx.x == 0) {
            total[0] = v;
            done = 0;
        }
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    unsigned len = (n + 31) / 32;
    value_t v = identity();
    unsigned k = 0;
    while (k < len && lane * len + k < n) {
        v = combine(v, in[lane * len + k]);
        k++;
    }
    s[lane] = v;
    if (lane < 16)
        s[lane + 32] = identity();
    __syncwarp();
    unsigned d = 1;
    while (d <= 16) {
        v = combine(v, s[lane + d]);
        __syncwarp();
        s[lane] = v;
        __syncwarp();
        d += d;
    }
    if (lane == 0)
        *out = v;
}
