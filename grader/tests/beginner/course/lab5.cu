#include "reduce.h"

#define WARP 32

static __device__ void tree32(value_t *base, int l) {
    for (int h = WARP / 2; h > 0; h >>= 1) {
        value_t other = identity();
        if (l < h) other = base[l + h];
        if (l < h) base[l] = combine(base[l], other);
        __syncwarp();
    }
}

static __device__ value_t collect(const value_t *in, unsigned start, unsigned n, unsigned step) {
    value_t acc = identity();
    while (start < n) {
        acc = combine(acc, in[start]);
        start += step;
    }
    return acc;
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t buf[];
    int tx = threadIdx.x;
    int l = tx & (WARP - 1);
    int wid = tx / WARP;
    int nwarps = blockDim.x / WARP;
    value_t *sums = buf + blockDim.x;
    buf[tx] = collect(in, blockIdx.x * blockDim.x + tx, n, blockDim.x * gridDim.x);
    __syncwarp();
    tree32(buf + wid * WARP, l);
    if (l == 0) sums[wid] = buf[wid * WARP];
    __syncthreads();
    if (wid > 0) return;
    value_t v = identity();
    if (l < nwarps) v = sums[l];
    buf[l] = v;
    __syncwarp();
    tree32(buf, l);
    if (tx == 0) partial[blockIdx.x] = buf[0];
}

__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    int l = threadIdx.x;
    buf[l] = collect(in, l, n, WARP);
    __syncwarp();
    if (l < 16) {
        int h = 16;
        while (h > 0) {
            value_t x = buf[l];
            value_t y = buf[l + h];
            __syncwarp(0xFFFF);
            buf[l] = combine(x, y);
            __syncwarp(0xFFFF);
            h /= 2;
        }
    }
    if (l == 0) *out = buf[0];
}

__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    int l = threadIdx.x;
    buf[l] = collect(in, l, n, WARP);
    if (l >= 16) buf[l + 16] = identity();
    __syncwarp();
    for (int h = 16; h > 0; h /= 2) {
        value_t x = buf[l];
        value_t y = buf[l + h];
        __syncwarp();
        buf[l] = combine(x, y);
        __syncwarp();
    }
    if (l == 0) *out = buf[0];
}

__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    int l = threadIdx.x;
    unsigned chunk = (n + WARP - 1) / WARP;
    unsigned lo = l * chunk;
    unsigned hi = lo + chunk;
    if (hi > n) hi = n;
    buf[l] = collect(in, lo, hi, 1);
    __syncwarp();
    for (int d = 1; d < WARP; d *= 2) {
        if ((l & (2 * d - 1)) == 0) buf[l] = combine(buf[l], buf[l + d]);
        __syncwarp();
    }
    if (l == 0) *out = buf[0];
}
