#include "reduce.h"

__device__ unsigned ticket;

static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    if (begin + t < end)
        s[t] = in[begin + t];
    else
        s[t] = identity();
    unsigned pos = begin + m;
    while (pos < end) {
        if (pos + t < end)
            s[m + t] = in[pos + t];
        else
            s[m + t] = identity();
        __syncthreads();
        value_t left = s[2 * t], right = s[2 * t + 1];
        __syncthreads();
        s[t] = combine(left, right);
        pos += m;
    }
    __syncthreads();
    for (unsigned d = 1; d < m; d *= 2) {
        unsigned k = t * 2 * d;
        if (k + d < m) {
            s[k] = combine(s[k], s[k + d]);
        }
        __syncthreads();
    }
    return s[0];
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    unsigned each = n / gridDim.x;
    if (n % gridDim.x != 0) each++;
    unsigned from = blockIdx.x * each, to = from + each;
    if (to > n) to = n;
    value_t r = block_reduce(in, from, to, s);
    if (t == 0) {
        partial[blockIdx.x] = r;
        __threadfence();
        unsigned my = atomicAdd(&ticket, 1);
        last = (my == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        __threadfence();
        r = block_reduce(partial, 0, gridDim.x, s);
        if (t == 0) {
            total[0] = r;
            ticket = 0;
        }
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, per = (n + 31) / 32;
    unsigned from = lane * per, to = from + per;
    if (to > n) to = n;
    value_t x = identity();
    for (unsigned i = from; i < to; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        value_t a = s[lane], b = s[lane + d];
        __syncwarp();
        s[lane] = combine(a, b);
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
