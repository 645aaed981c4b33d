/* Clusters of blocks, which need compute capability 9.0: the names and meanings are those of CUDA's <cooperative_groups.h>, cluster_group and
 * this_cluster(), so that a kernel compiles with either header. Every compiler of the labs accepts this one.
 *
 * cluster.block_rank()             number of this block in its cluster: 0 to num_blocks() - 1
 * cluster.num_blocks()             blocks of the cluster
 * cluster.thread_rank()            number of this thread among those of the cluster: 0 to num_threads() - 1
 * cluster.sync()                   the cluster's barrier: all threads of all its blocks; what was written before it, in any of their shared memory,
 *                                  is visible after it
 * cluster.barrier_arrive()         its first half: this thread has arrived. It does not wait
 * cluster.barrier_wait()           its second half: waits until all threads of the cluster have arrived
 * cluster.map_shared_rank(p, r)    p points to this block's shared memory: the address of the same place in that of the block of rank r
 * cluster.query_shared_rank(p)     the rank of the block whose shared memory p points to
 *
 * This file has no include guard on purpose: the grader includes it once for each variant, each time in a namespace of its own. */
#define CLUSTER_FN_ static __device__ __forceinline__
struct cluster_group {
    struct arrival_token {};
    CLUSTER_FN_ unsigned block_rank() {
        unsigned r;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
        return r;
    }
    CLUSTER_FN_ unsigned num_blocks() {
        unsigned n;
        asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
        return n;
    }
    CLUSTER_FN_ unsigned thread_rank() {
        return (block_rank() * blockDim.z * blockDim.y + threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    CLUSTER_FN_ unsigned num_threads() { return num_blocks() * blockDim.z * blockDim.y * blockDim.x; }
    CLUSTER_FN_ arrival_token barrier_arrive() {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return {};
    }
    CLUSTER_FN_ void barrier_wait(arrival_token = {}) { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    CLUSTER_FN_ void sync() { barrier_wait(barrier_arrive()); }
    template <class T> CLUSTER_FN_ T *map_shared_rank(T *p, unsigned rank) {
        T *there;
        asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
        return there;
    }
    CLUSTER_FN_ unsigned query_shared_rank(const void *p) {
        unsigned rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
        return rank;
    }
};
CLUSTER_FN_ cluster_group this_cluster() { return {}; }
#undef CLUSTER_FN_
