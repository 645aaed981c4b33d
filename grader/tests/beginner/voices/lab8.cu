// Lab 8: operands in order.
//
// Contract. The operator is associative, but combine(a, b) may differ from combine(b, a). The kernels combine in[0], in[1], ... in[n-1] in
// this order, with any grouping. n is at most 2^31 (2^25 for reduce_one_warp). The input is read-only.
//   reduce           M = blockDim.x is a power of two from 32 to 1024. gridDim.x is arbitrary. One launch writes total[0].
//                    partial[0 .. gridDim.x) is for the results of the blocks. The host launches the kernel repeatedly, back to back, and
//                    resets nothing. The launch provides dynamic shared memory for 2*M values.
//   reduce_one_warp  One block of one warp writes out[0]. The launch provides dynamic shared memory for 48 values.
#include "reduce.h"

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Reduces in[begin .. end), of any length, in order. s has room for 2*M values. Only thread 0's return value is used.
static __device__ value_t block_reduce(const value_t *in, unsigned begin, unsigned end, value_t *s) {
    unsigned t = threadIdx.x, m = blockDim.x;
    s[t] = begin + t < end ? in[begin + t] : identity(); // the lower half holds M values in order: the result so far

    for (unsigned next = begin + m; next < end; next += m) {
        s[m + t] = next + t < end ? in[next + t] : identity();
        __syncthreads();
        value_t x = combine(s[2 * t], s[2 * t + 1]);
        __syncthreads();
        s[t] = x;
    }
    __syncthreads();
    for (unsigned stride = 1; stride < m; stride *= 2) {
        unsigned i = 2 * stride * t;
        if (i + stride < m) s[i] = combine(s[i], s[i + stride]);
        __syncthreads();
    }
    return s[0];
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // 2*M values
    __shared__ bool last;          // whether this block drew the last ticket

    unsigned t = threadIdx.x;
    unsigned size = (n + gridDim.x - 1) / gridDim.x;
    unsigned from = blockIdx.x * size;
    unsigned to = min(from + size, n);
    value_t sum = block_reduce(in, from, to, s);
    if (t == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = block_reduce(partial, 0, gridDim.x, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}

// Runs in one warp. Each lane reduces its own chunk. Then all lanes work in all steps, and lane 31 reads the padding, up to s[47].
__global__ void reduce_one_warp(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned lane = threadIdx.x, chunk = (n + 31) / 32;
    value_t x = identity();
    for (unsigned i = lane * chunk; i < n && i < (lane + 1) * chunk; i++) x = combine(x, in[i]);
    s[lane] = x;
    if (lane < 16) s[32 + lane] = identity();
    __syncwarp();
    for (unsigned offset = 1; offset <= 16; offset *= 2) {
        x = combine(s[lane], s[lane + offset]);
        __syncwarp();
        s[lane] = x;
        __syncwarp();
    }
    if (lane == 0) out[0] = s[0];
}
