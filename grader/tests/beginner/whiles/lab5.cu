#include "reduce.h"

static __device__ value_t warp_reduce(value_t *w, unsigned lane) {
    for (unsigned d = 16; d > 0; d >>= 1) {
        if (lane < d) {
            w[lane] = combine(w[lane], w[lane + d]);
        }
        __syncwarp();
    }
    return w[0];
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    s[t] = sum;
    __syncwarp();
    value_t *results = s + blockDim.x;
    value_t r = warp_reduce(&s[warp * 32], lane);
    if (lane == 0) results[warp] = r;
    __syncthreads();
    if (t < 32) {
        value_t x = identity();
        if (lane < warps) x = results[lane];
        s[lane] = x;
        __syncwarp();
        x = warp_reduce(s, lane);
        if (t == 0) partial[blockIdx.x] = x;
    }
}

__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16) {
        for (unsigned d = 16; d > 0; d >>= 1) {
            value_t mine = s[lane];
            value_t other = s[lane + d];
            __syncwarp(0xffff);
            s[lane] = combine(mine, other);
            __syncwarp(0xffff);
        }
    }
    if (lane == 0) out[0] = s[0];
}

__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    if (lane < 16) s[lane + 32] = identity();
    __syncwarp();
    unsigned d = 16;
    while (d != 0) {
        value_t mine = s[lane];
        value_t other = s[lane + d];
        __syncwarp();
        s[lane] = combine(mine, other);
        __syncwarp();
        d /= 2;
    }
    if (lane == 0) out[0] = s[0];
}

__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        if (lane % (2 * d) == 0) {
            s[lane] = combine(s[lane], s[lane + d]);
        }
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
