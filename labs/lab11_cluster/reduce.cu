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

    // TODO 1: insert your loop from lab 6
    return x; // the result, in lane 0
}
static __device__ value_t block_reduce(value_t x, value_t *s) {

    // TODO 2: insert your two levels from lab 6; return the result in thread 0
    return identity();
}

// Combines one value from each block in the cluster, the `x` of its thread 0. Only thread 0 of the rank-0 block returns the result.
static __device__ value_t cluster_reduce(cluster_group cluster, value_t x, value_t *s) {
    unsigned t = threadIdx.x, rank = cluster.block_rank(), blocks = cluster.num_blocks();

    // TODO 3: thread 0 of each block stores x in the block's own s[0]
    // TODO 4: wait until all blocks in the cluster have stored their x
    // TODO 5: in the first warp of the rank-0 block, lane r < blocks reads rank r's s[0]; then the warp combines its lanes' values
    // TODO 6: wait again: before rank 0 has read a block's s[0], that block must neither end nor overwrite s
    return x;
}

__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {
    extern __shared__ value_t s[]; // M/32 values
    __shared__ bool last;          // whether this cluster drew the last ticket; shared, because all threads of its first block must know
    cluster_group cluster = this_cluster();
    unsigned t = threadIdx.x, clusters = gridDim.x / cluster.num_blocks(), number = blockIdx.x / cluster.num_blocks();
    value_t sum = identity();

    // TODO 7: insert lab 7's loop: the threads of the whole grid stride over the input, regardless of clusters
    sum = cluster_reduce(cluster, block_reduce(sum, s), s);

    // TODO 8: finish as in lab 7, but with clusters instead of blocks. The block of rank 0 writes the partial of its cluster and draws one ticket; the other
    //         blocks return. In the last of `clusters` clusters, the block of rank 0 reduces the partials; thread 0 writes the total and resets the ticket
}
