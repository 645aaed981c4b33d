// Lab 11: reduction by clusters of blocks.
//
// Contract. M = blockDim.x is a power of two from 32 to 1024. The grid consists of clusters of C blocks, where C is 1 to 8, and gridDim.x is a multiple of C.
// gridDim.x * M is at most 2^29. n ranges from 0 to 2^31. The input is read-only. The launch provides each block with dynamic shared memory for M/32 values.
//   reduce   One launch combines in[0 .. n) and writes total[0]. partial[0 .. gridDim.x) has room for the clusters' results; its contents before
//            and after the launch do not matter. The host launches the kernel repeatedly, back to back, with any arguments, and resets nothing.
// This kernel needs compute capability 9.0 or later. Blocks of the same cluster exchange values through shared memory; different clusters exchange them through global memory.
#include "reduce.h"
#include "cluster.h" // cluster_group, whose members have the same names as in CUDA's <cooperative_groups.h>

__device__ unsigned ticket; // number of tickets drawn in this launch; 0 between launches

// Lab 6's trees for a warp and for a block.
static __device__ value_t warp_reduce(value_t x) {
#ifdef SOLUTION
    for (unsigned offset = 16; offset >= 1; offset /= 2) x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
#else

    // TODO 1: insert your loop from lab 6
#endif
    return x; // the result, in lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {
#ifdef SOLUTION
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    x = warp_reduce(x);
    if (lane == 0) s[warp] = x;
    __syncthreads();
    if (warp == 0) x = warp_reduce(lane < warps ? s[lane] : identity());
    return x; // the result, in thread 0
#else

    // TODO 2: insert your two levels from lab 6; return the result in thread 0
    return identity();
#endif
}

// Combines one value from each block in the cluster, the `x` of its thread 0. Only thread 0 of the rank-0 block returns the result.
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();
#ifdef SOLUTION
    if (t == 0) s[0] = x;
    cluster.sync(); // now each block's result is in its s[0]
    if (rank == 0 && t < 32) x = warp_reduce(t < blocks ? *cluster.map_shared_rank(s, t) : identity());
    cluster.sync(); // rank 0 has read all results, so the blocks may end
#else

    // TODO 3: thread 0 of each block stores x in the block's own s[0]
    // TODO 4: wait until all blocks in the cluster have stored their x
    // TODO 5: in the first warp of the rank-0 block, lane r < blocks reads rank r's s[0]; then the warp combines its lanes' values
    // TODO 6: wait again: before rank 0 has read a block's s[0], that block must neither end nor overwrite s
#endif
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this cluster drew the last ticket; shared, because all threads of its first block must know
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();
#ifdef SOLUTION
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum = combine(sum, in[i]);
#else

    // TODO 7: insert lab 7's loop: the threads of the whole grid stride over the input, regardless of clusters
#endif
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

#ifdef SOLUTION
    if (cluster.block_rank() != 0) return;
    if (t == 0) {
        partial[number] = sum;
        __threadfence(); // a cluster that draws a later ticket also sees the partial
        last = atomicAdd(&ticket, 1) == clusters - 1;
    }
    __syncthreads();
    if (!last) return;

    __threadfence(); // orders the ticket before the loads of the partials
    sum = identity();
    for (unsigned c = t; c < clusters; c += blockDim.x) sum = combine(sum, partial[c]);
    sum = block_reduce(sum, s);
    if (t == 0) {
        total[0] = sum;
        ticket = 0; // for the next launch
    }
#else
    // TODO 8: finish as in lab 7, but with clusters instead of blocks. The block of rank 0 writes the partial of its cluster and draws one ticket; the other
    //         blocks return. In the last of `clusters` clusters, the block of rank 0 reduces the partials; thread 0 writes the total and resets the ticket
#endif
}
