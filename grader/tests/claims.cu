// Kernels for check_claims.c, with one element per thread, in shared memory.
#include "reduce.h"

__global__ void associative(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    s[t] = t < n ? in[t] : identity();
    __syncthreads();
    for (unsigned offset = 1; offset < blockDim.x; offset *= 2) {
        if ((t & (2 * offset - 1)) == 0) s[t] = combine(s[t], s[t + offset]);
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}

__global__ void commutative(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    s[t] = t < n ? in[t] : identity();
    __syncthreads();
    for (unsigned offset = blockDim.x / 2; offset >= 1; offset /= 2) {
        if (t < offset) s[t] = combine(s[t], s[t + offset]);
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}

// The loop ends before the last step, which follows the loop.
__global__ void no_last_barrier(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    s[t] = t < n ? in[t] : identity();
    __syncthreads();
    for (unsigned offset = blockDim.x / 2; offset > 1; offset /= 2) {
        if (t < offset) s[t] = combine(s[t], s[t + offset]);
        __syncthreads();
    }
    if (t == 0) {
        s[0] = combine(s[0], s[1]);
        out[0] = s[0];
    }
}

__global__ void no_second_last_barrier(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    s[t] = t < n ? in[t] : identity();
    __syncthreads();
    for (unsigned offset = blockDim.x / 2; offset >= 1; offset /= 2) {
        if (t < offset) s[t] = combine(s[t], s[t + offset]);
        if (offset > 2) __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
