#include "reduce.h"

__device__ unsigned done;

static __device__ bool wins(value_t a, value_t b) {
    if (a.value != a.value) {
        if (b.value != b.value)
            return a.index < b.index;
        return true;
    }
    if (b.value != b.value)
        return false;
    if (a.value == b.value)
        return a.index < b.index;
    return before(a.value, b.value);
}

static __device__ value_t better(value_t a, value_t b) {
    if (wins(a, b))
        return a;
    return b;
}

static __device__ value_t fold(value_t mine) {
    int d = 16;
    while (d > 0) {
        value_t theirs;
        theirs.value = __shfl_down_sync(0xffffffff, mine.value, d);
        theirs.index = __shfl_down_sync(0xffffffff, mine.index, d);
        mine = better(mine, theirs);
        d /= 2;
    }
    return mine;
}

static __device__ value_t block_best(value_t v, value_t *s) {
    unsigned lane = threadIdx.x % 32, wid = threadIdx.x / 32;
    v = fold(v);
    if (lane == 0)
        s[wid] = v;
    __syncthreads();
    if (wid == 0) {
        v = identity();
        if (lane < blockDim.x / 32)
            v = s[lane];
        v = fold(v);
    }
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    unsigned all = gridDim.x * blockDim.x;
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    value_t v = identity();
    while (k < n) {
        v = better(v, in[k]);
        k += all;
    }
    v = block_best(v, s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        unsigned got = atomicAdd(&done, 1);
        last = got == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        v = identity();
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
            v = better(v, partial[b]);
        v = block_best(v, s);
        if (threadIdx.x == 0) {
            total[0] = v;
            done = 0;
        }
    }
}
