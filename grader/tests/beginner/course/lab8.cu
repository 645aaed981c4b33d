#include "reduce.h"

__device__ unsigned done_blocks = 0;

__device__ value_t neighbors(value_t *buf, unsigned len) {
    unsigned tx = threadIdx.x;
    for (unsigned d = 1; d < len; d <<= 1) {
        unsigned left = tx * 2 * d;
        unsigned right = left + d;
        __syncthreads();
        if (right < len) buf[left] = combine(buf[left], buf[right]);
    }
    __syncthreads();
    return buf[0];
}

__device__ value_t reduce_range(const value_t *src, unsigned lo, unsigned hi, value_t *buf) {
    unsigned len = hi > lo ? hi - lo : 0;
    unsigned piece = (len + blockDim.x - 1) / blockDim.x;
    unsigned p = lo + threadIdx.x * piece;
    unsigned stop = p + piece;
    value_t v = identity();
    while (p < stop && p < hi) {
        v = combine(v, src[p]);
        p++;
    }
    buf[threadIdx.x] = v;
    return neighbors(buf, blockDim.x);
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t buf[];
    __shared__ unsigned my_ticket;
    unsigned chunk = n / gridDim.x;
    if (n % gridDim.x != 0) chunk++;
    unsigned lo = blockIdx.x * chunk;
    unsigned hi = lo + chunk;
    if (hi > n) hi = n;
    value_t v = reduce_range(in, lo, hi, buf);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        my_ticket = atomicAdd(&done_blocks, 1u);
    }
    __syncthreads();
    if (my_ticket + 1 < gridDim.x) return;
    __threadfence();
    v = reduce_range(partial, 0, gridDim.x, buf);
    if (threadIdx.x == 0) {
        total[0] = v;
        done_blocks = 0;
    }
}

__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t buf[];
    unsigned l = threadIdx.x;
    unsigned chunk = (n + 31) / 32;
    value_t v = identity();
    for (unsigned k = 0; k < chunk; k++) {
        unsigned p = l * chunk + k;
        if (p < n) v = combine(v, in[p]);
    }
    buf[l] = v;
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        if (l % (2 * d) == 0) buf[l] = combine(buf[l], buf[l + d]);
        __syncwarp();
    }
    if (l == 0) *out = buf[0];
}
