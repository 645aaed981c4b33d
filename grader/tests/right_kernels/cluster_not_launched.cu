// Without a cluster size, each block is its own cluster.
// launch: grid=2 block=32 arch=90
// arg: u32[64]:out
// result: 0[0] = 1
// result: 0[63] = 32
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(unsigned *out) {
    __shared__ unsigned s[32];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x + cluster.num_blocks();
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank())[threadIdx.x];
}
