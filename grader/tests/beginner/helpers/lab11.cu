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

static __device__ value_t team_sum(cluster_group team, value_t v, value_t *sh) {
    if (threadIdx.x == 0) sh[0] = v;
    team.sync();
    if (team.block_rank() == 0 && threadIdx.x == 0) {
        unsigned r = 1;
        while (r < team.num_blocks()) {
            value_t *theirs = team.map_shared_rank(sh, r);
            v = combine(v, theirs[0]);
            r++;
        }
    }
    team.sync();
    return v;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t sh[];
    __shared__ unsigned drawn;
    cluster_group team = this_cluster();
    const unsigned tid = threadIdx.x, size = team.num_blocks();
    const unsigned teams = gridDim.x / size, id = blockIdx.x / size;
    value_t v = identity();
    unsigned p = tid + blockIdx.x * blockDim.x;
    while (p < n) {
        v = combine(v, in[p]);
        p += blockDim.x * gridDim.x;
    }
    v = block_reduce(v, sh);
    v = team_sum(team, v, sh);
    if (team.block_rank() == 0) {
        if (tid == 0) {
            partial[id] = v;
            __threadfence();
            drawn = atomicAdd(&ticket, 1u);
        }
        __syncthreads();
        if (drawn == teams - 1) {
            __threadfence();
            v = identity();
            p = tid;
            while (p < teams) {
                v = combine(v, partial[p]);
                p += blockDim.x;
            }
            v = block_reduce(v, sh);
            if (tid == 0) {
                *total = v;
                ticket = 0;
            }
        }
    }
}
