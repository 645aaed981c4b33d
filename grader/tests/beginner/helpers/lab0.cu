#include "reduce.h"

__global__ void one_thread(const value_t *in, value_t *total, unsigned n) {
    if (threadIdx.x != 0) return;
    value_t acc = identity();
    unsigned j = 0;
    while (j < n) {
        acc = combine(acc, in[j]);
        j++;
    }
    *total = acc;
}

__global__ void one_level(value_t *data, unsigned n, unsigned stride) {
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t left = me * stride * 2;
    size_t right = left + stride;
    if (right >= n) return;
    value_t l = data[left];
    value_t r = data[right];
    data[left] = combine(l, r);
}

static __device__ unsigned half_up(unsigned c) { return c / 2 + c % 2; }

__global__ void whole_tree(value_t *data, value_t *total, unsigned n) {
    const unsigned tid = threadIdx.x;
    unsigned remain = n;
    while (remain > 1) {
        unsigned h = half_up(remain);
        unsigned p = tid;
        while (p + h < remain) {
            data[p] = combine(data[p], data[p + h]);
            p += blockDim.x;
        }
        __syncthreads();
        remain = h;
    }
    if (tid == 0) {
        if (n == 0)
            total[0] = identity();
        else
            total[0] = data[0];
    }
}
