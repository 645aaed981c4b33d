#include "reduce.h"

static __device__ void warp_tree(value_t *mine, unsigned lane) {
    unsigned d = 16;
    while (d) {
        if (lane < d)
            *mine = combine(*mine, *(mine + d));
        __syncwarp();
        d >>= 1;
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned tid = threadIdx.x;
    unsigned lane = tid & 31;
    unsigned wid = tid >> 5;
    unsigned nwarps = blockDim.x >> 5;
    value_t *results = s + blockDim.x;
    value_t acc = identity();
    unsigned k = tid + blockIdx.x * blockDim.x;
    while (k < n) {
        acc = combine(acc, in[k]);
        k += blockDim.x * gridDim.x;
    }
    s[tid] = acc;
    __syncwarp();
    warp_tree(&s[tid], lane);
    if (lane == 0)
        results[wid] = s[tid];
    __syncthreads();
    if (wid > 0)
        return;
    s[lane] = identity();
    if (lane < nwarps)
        s[lane] = results[lane];
    __syncwarp();
    warp_tree(s + lane, lane);
    if (lane == 0)
        partial[blockIdx.x] = s[0];
}

__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t acc = identity();
    for (unsigned k = lane; k < n; k += 32)
        acc = combine(acc, in[k]);
    s[lane] = acc;
    __syncwarp();
    if (lane >= 16)
        return;
    unsigned d = 16;
    while (d > 0) {
        acc = combine(acc, s[lane + d]);
        __syncwarp(0xffff);
        s[lane] = acc;
        __syncwarp(0xffff);
        d >>= 1;
    }
    if (lane == 0)
        *out = acc;
}

__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t acc = identity();
    for (unsigned k = lane; k < n; k += 32)
        acc = combine(acc, in[k]);
    s[lane] = acc;
    if (lane >= 16)
        s[lane + 16] = identity();
    __syncwarp();
    for (unsigned d = 16; d != 0; d >>= 1) {
        acc = combine(acc, s[lane + d]);
        __syncwarp();
        s[lane] = acc;
        __syncwarp();
    }
    if (lane == 0)
        *out = acc;
}

__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    unsigned len = (n + 31) / 32;
    unsigned from = lane * len;
    unsigned to = from + len < n ? from + len : n;
    value_t acc = identity();
    while (from < to) {
        acc = combine(acc, in[from]);
        from++;
    }
    s[lane] = acc;
    __syncwarp();
    unsigned d = 1;
    while (d < 32) {
        if ((lane & (2 * d - 1)) == 0)
            s[lane] = combine(s[lane], s[lane + d]);
        __syncwarp();
        d = d << 1;
    }
    if (lane == 0)
        *out = *s;
}
