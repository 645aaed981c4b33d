// The last block's right neighbor does not exist in the cluster.
// launch: grid=4 block=32 cluster=4 arch=90
// arg: float[128]:random
// arg: float[128]:out
// expect: out-of-bounds line 15
// says: of rank 4, but its cluster has 4 blocks
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() + 1)[threadIdx.x];
    cluster.sync();
}
