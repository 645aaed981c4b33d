#include "reduce.h"
#include "cluster.h"

__device__ unsigned ticket;

static __device__ value_t warp_reduce(value_t x) {
    for (int d = 16; d > 0; d /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, d));
    return x;
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, w = threadIdx.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[w] = x;
    __syncthreads();
    if (w == 0) {
        value_t v = identity();
        if (lane < blockDim.x / 32) v = s[lane];
        x = warp_reduce(v);
    }
    return x;
}

static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) {
        value_t v = identity();
        if (t < blocks) {
            value_t *theirs = cluster.map_shared_rank(s, t);
            v = theirs[0];
        }
        x = warp_reduce(v);
    }
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[];
    __shared__ bool last;
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);
    if (cluster.block_rank() > 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        unsigned my = atomicAdd(&ticket, 1);
        last = (my == clusters - 1);
    }
    __syncthreads();
    if (last) {
        __threadfence();
        value_t r = identity();
        for (unsigned c = t; c < clusters; c += blockDim.x) r = combine(r, partial[c]);
        r = block_reduce(r, s);
        if (t == 0) {
            *total = r;
            ticket = 0;
        }
    }
}
