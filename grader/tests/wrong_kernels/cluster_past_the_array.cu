// The neighbor's array has 64 elements; the 65th does not exist.
// launch: grid=2 block=64 cluster=2 arch=90
// arg: float[128]:random
// arg: float[128]:out
// expect: out-of-bounds line 15
// says: of block 1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x + 1];
    cluster.sync();
}
