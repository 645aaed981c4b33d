/* Thread block clusters, which need compute capability 9.0 or later. cluster_group and this_cluster() have the names and semantics of CUDA's
 * <cooperative_groups.h>, so a kernel compiles with either header. Unlike that header, this one works with every compiler that the labs support.
 *
 * cluster.block_rank()             rank of this block in the cluster, 0 to num_blocks() - 1
 * cluster.num_blocks()             number of blocks in the cluster
 * cluster.thread_rank()            rank of this thread in the cluster, 0 to num_threads() - 1
 * cluster.sync()                   waits until all threads of the cluster have called it. Writes to the shared memory of any block in the cluster
 *                                  before the barrier are visible after it
 * cluster.barrier_arrive()         first half of sync(): marks this thread as arrived, without waiting
 * cluster.barrier_wait()           second half of sync(): waits until all threads of the cluster have arrived
 * cluster.map_shared_rank(p, r)    returns the address in the shared memory of rank r that corresponds to p in this block's own
 * cluster.query_shared_rank(p)     returns the rank of the block whose shared memory p points to
 *
 * This file deliberately has no include guard: the grader includes it once per variant, each time in a different namespace. */
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
