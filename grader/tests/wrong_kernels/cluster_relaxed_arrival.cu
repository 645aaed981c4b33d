// A relaxed arrival does not order memory accesses.
// launch: grid=2 block=32 cluster=2 arch=90
// arg: float[64]:random
// arg: float[64]:out
// expect: race-cluster line 16 and 13
// unsaid: bypasses the barrier
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x];
    cluster.sync();
}
