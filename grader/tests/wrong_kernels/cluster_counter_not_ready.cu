// launch: grid=2 block=32 cluster=2 arch=90
// arg: u32[2]:out
// expect: race-cluster line 10 and 12
// A block adds to the other block's counter before that block has set it to 0.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(unsigned *out) {
    __shared__ unsigned count;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(cluster.map_shared_rank(&count, cluster.block_rank() ^ 1), 1);
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}
