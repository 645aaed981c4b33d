// A relaxed arrival after a fence.
// launch: grid=2 block=64 cluster=2 arch=90
// arg: float[128]:iota
// arg: float[128]:out
// result: 1[0] = 127
// result: 1[127] = 0
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[63 - threadIdx.x];
    cluster.sync();
}
