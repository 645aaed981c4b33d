#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Reduces in[begin .. end), of any length, in order. s has room for 2*M values. Only thread 0's return value is used.
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = begin + t < end ? in[begin + t] : identity(); // the lower half holds M values in order: the result so far

    for (unsigned next = begin + m; next < end; next += m) {
        unsigned i = next + t;
        if (i < end) s[m + t] = in[i];
        else s[m + t] = identity();
        __syncthreads();
        value_t pair = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        s[t] = pair;
    }
    __syncthreads();
    for (unsigned stride = 1; stride < m; stride *= 2) {
        unsigned k = 2 * stride * t;
        if (k < m) {
            s[k] = combine(s[k], s[k + stride]);
        }
        __syncthreads();
    }
    return s[0];
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    __shared__ bool last;          // whether this block drew the last ticket

    unsigned chunk = (n + gridDim.x - 1) / gridDim.x;
    unsigned begin = blockIdx.x * chunk;
    unsigned end = begin + chunk;
    if (end > n) end = n;
    value_t x = block_reduce(in, begin, end, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        x = block_reduce(partial, 0, gridDim.x, s);
        if (threadIdx.x == 0) {
            total[0] = x;
            ticket = 0;
        }
    }
}

// Runs in one warp. Each lane reduces its own chunk. Then all lanes take part in every step, and lane 31 reads into the padding, up to s[47].
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        value_t v = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = v;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
