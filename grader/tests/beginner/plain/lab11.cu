#include "reduce.h"
#include "cluster.h" // cluster_group, whose members have the same names as in CUDA's <cooperative_groups.h>

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Lab 6's trees for a warp and for a block.
static __device__ value_t warp_reduce(value_t x) {
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
    return x; // the result, in lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x; // the result, in thread 0
}

// Combines one value from each block in the cluster, the `x` of its thread 0. Only thread 0 of the rank-0 block returns the result.
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();

    if (t == 0) s[0] = x;
    cluster.sync();
    if (rank == 0 && t < 32) {
        value_t y = identity();
        if (t < blocks) y = *cluster.map_shared_rank(s, t);
        x = warp_reduce(y);
    }
    cluster.sync();
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this cluster drew the last ticket; shared, because all threads of its first block must know
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();

    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        sum = combine(sum, in[i]);
    }
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence();
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) {
        sum = combine(sum, partial[c]);
    }
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0;
    }
}
