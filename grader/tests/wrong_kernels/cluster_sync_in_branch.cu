// Half of each warp reaches the cluster's barrier; the other half exits.
// launch: grid=2 block=64 cluster=2 arch=90 debug=0
// arg: float[128]:random
// arg: float[128]:out
// expect: cluster-divergence line 13
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    cg::cluster_group cluster = cg::this_cluster();
    out[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    if (threadIdx.x % 32 < 16) {
        cluster.sync();
    }
}
