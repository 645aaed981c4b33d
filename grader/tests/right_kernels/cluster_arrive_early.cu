// Each block does independent work between arrival and wait. The last arrival is relaxed, as only the block's
// lifetime depends on it.
// launch: grid=4 block=64 cluster=2 arch=90
// arg: float[256]:ones
// arg: float[512]:out
// result: 1[0] = 1
// result: 1[300] = 2
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned i = blockIdx.x * 64 + threadIdx.x;
    float x = in[i];
    s[threadIdx.x] = 2 * x;
    cluster.barrier_arrive();
    out[i] = x;
    cluster.barrier_wait();
    out[256 + i] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x];
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
}
