#include "reduce.h"
#include "cluster.h" // cluster_group, whose members have the same names as in CUDA's <cooperative_groups.h>

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// The warp's tree and the block's tree of lab 6.
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

static __device__ value_t cluster_total(cluster_group cl, value_t v, value_t *box) {
    unsigned nblocks = cl.num_blocks();
    unsigned me = cl.block_rank();
    if (threadIdx.x == 0) *box = v;
    cl.sync();
    if (me == 0 && threadIdx.x < 32) {
        value_t w = identity();
        if (threadIdx.x < nblocks) {
            value_t *remote = cl.map_shared_rank(box, threadIdx.x);
            w = *remote;
        }
        v = warp_reduce(w);
    }
    cl.sync();
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t box[];
    __shared__ bool finisher;
    cluster_group cl = this_cluster();
    unsigned nclusters = gridDim.x / cl.num_blocks();
    unsigned my_cluster = blockIdx.x / cl.num_blocks();
    value_t v = identity();
    for (unsigned p = blockIdx.x * blockDim.x + threadIdx.x; p < n; p += gridDim.x * blockDim.x) {
        v = combine(v, in[p]);
    }
    v = block_reduce(v, box);
    v = cluster_total(cl, v, box);
    if (cl.block_rank() > 0) return;
    if (threadIdx.x == 0) {
        partial[my_cluster] = v;
        __threadfence();
        unsigned mine = atomicAdd(&ticket, 1);
        finisher = mine + 1 == nclusters;
    }
    __syncthreads();
    if (finisher) {
        __threadfence();
        v = identity();
        for (unsigned k = threadIdx.x; k < nclusters; k += blockDim.x) {
            v = combine(v, partial[k]);
        }
        v = block_reduce(v, box);
        if (threadIdx.x == 0) {
            total[0] = v;
            ticket = 0;
        }
    }
}
