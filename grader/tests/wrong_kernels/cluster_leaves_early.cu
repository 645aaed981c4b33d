// A block reads from its neighbor after cluster.sync(), but nothing keeps the neighbor from exiting before that.
// launch: grid=4 block=64 cluster=2 arch=90
// arg: float[256]:random
// arg: float[256]:out
// expect: cluster-left line 15
// says: which may have ended by then
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x];
}
