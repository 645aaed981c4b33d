#include "reduce.h"

// Reduces w[0 .. 32) in shared memory with one warp and returns the result. May overwrite w. All 32 lanes must call this function.
static __device__ value_t warp_reduce(value_t *w, unsigned lane) {

    for (unsigned offset = 16; offset > 0; offset /= 2) {
        if (lane < offset) {
            w[lane] = combine(w[lane], w[lane + offset]);
        }
        __syncwarp();
    }
    return w[0];
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[]; // M values, one per thread, followed by M/32 values, one per warp
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);

    s[t] = sum;
    __syncwarp();
    value_t r = warp_reduce(s + 32 * warp, lane);
    if (lane == 0) s[blockDim.x + warp] = r;
    __syncthreads();
    if (warp == 0) {
        if (lane < warps) s[lane] = s[blockDim.x + lane];
        else s[lane] = identity();
        __syncwarp();
        r = warp_reduce(s, lane);
        if (lane == 0) partial[blockIdx.x] = r;
    }
}

// Runs in one warp. Lanes 0 to 15 work in all steps, although some of them compute results that are never used.
__global__ void reduce_one_guard(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    if (lane < 16) {
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            value_t v = combine(s[lane], s[lane + offset]);
            __syncwarp(0xffff);
            s[lane] = v;
            __syncwarp(0xffff);
        }
    }
    if (lane == 0) out[0] = s[0];
}

// Runs in one warp. All lanes take part in every step. In the first step, lane 31 reads s[47], which is padding.
__global__ void reduce_padded(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = lane; i < n; i += 32) sum = combine(sum, in[i]);
    s[lane] = sum;
    if (lane < 16) s[lane + 32] = identity();
    __syncwarp();
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        value_t v = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = v;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}

// Runs in one warp. Combines only neighbors, so the operands stay in order. Each lane first combines its own contiguous piece of the input.
__global__ void reduce_ordered(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, each = (n + 31) / 32;
    value_t sum = identity();
    for (unsigned i = lane * each; i < n && i < (lane + 1) * each; i++) sum = combine(sum, in[i]);
    s[lane] = sum;
    __syncwarp();
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        if (lane % (2 * offset) == 0) {
            s[lane] = combine(s[lane], s[lane + offset]);
        }
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
