#include "reduce.h"

static __device__ value_t share_of_thread(const value_t *in, unsigned n) {
    unsigned total_threads = blockDim.x * gridDim.x;
    unsigned pos = threadIdx.x + blockDim.x * blockIdx.x;
    value_t acc = identity();
    while (pos < n) {
        acc = combine(acc, in[pos]);
        pos += total_threads;
    }
    return acc;
}

static __device__ void sum_up(value_t *buf) {
    int half = blockDim.x / 2;
    while (half > 0) {
        if ((int)threadIdx.x < half) {
            value_t other = buf[threadIdx.x + half];
            buf[threadIdx.x] = combine(buf[threadIdx.x], other);
        }
        half = half / 2;
        __syncthreads();
    }
}

__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t buf[];
    buf[threadIdx.x] = share_of_thread(in, n);
    __syncthreads();
    sum_up(buf);
    if (threadIdx.x != 0) return;
    partial[blockIdx.x] = buf[0];
}

#if REDUCE_HAS_ATOMIC
__global__ void reduce_atomic(const value_t *in, value_t *total, unsigned n) {
    extern __shared__ value_t buf[];
    buf[threadIdx.x] = share_of_thread(in, n);
    __syncthreads();
    sum_up(buf);
    if (threadIdx.x != 0) return;
    atomic_combine(total, buf[0]);
}
#endif
