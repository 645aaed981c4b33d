#include "reduce.h"

__constant__ unsigned block_size = 512;
__constant__ unsigned blocks_per_multiprocessor = 2;
enum { PER = 16 / sizeof(value_t), DEEP = 4 };
struct __align__(16) pack {
    value_t v[PER];
};
__device__ unsigned done;

static __device__ value_t add_pack(value_t acc, pack p) {
    for (int k = 0; k < PER; k++)
        acc = combine(acc, p.v[k]);
    return acc;
}

static __device__ value_t my_share(const value_t *in, unsigned n) {
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned all = gridDim.x * blockDim.x;
    value_t acc = identity();
    unsigned skip = 0;
    while (skip < n && (size_t)(in + skip) % 16 != 0)
        skip++;
    unsigned packs = (n - skip) / PER;
    unsigned rest = skip + packs * PER;
    const pack *p = (const pack *)(in + skip);
    if (me < skip)
        acc = combine(acc, in[me]);
    unsigned k = me;
    while (k + (DEEP - 1) * all < packs) {
        pack a[DEEP];
#pragma unroll
        for (int j = 0; j < DEEP; j++)
            a[j] = p[k + j * all];
#pragma unroll
        for (int j = 0; j < DEEP; j++)
            acc = add_pack(acc, a[j]);
        k += DEEP * all;
    }
    while (k < packs) {
        acc = add_pack(acc, p[k]);
        k += all;
    }
    if (rest + me < n)
        acc = combine(acc, in[rest + me]);
    return acc;
}

static __device__ value_t fold(value_t v) {
#pragma unroll
    for (int d = 16; d > 0; d >>= 1)
        v = combine(v, __shfl_down_sync(0xffffffff, v, d));
    return v;
}

static __device__ value_t block_sum(value_t v, value_t *s) {
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
    value_t v = block_sum(my_share(in, n), s);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicAdd(&done, 1) + 1 == gridDim.x;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    v = identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        v = combine(v, partial[b]);
    v = block_sum(v, s);
    if (threadIdx.x == 0) {
        *total = v;
        done = 0;
    }
}
