// Each block stores its number in block 0 of its cluster, which may not have started.
// launch: grid=4 block=64 cluster=4 arch=90
// arg: u32[4]:iota
// arg: u32[4]:out
// expect: cluster-early line 14
// says: which may not have started yet
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[4];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0) cluster.map_shared_rank(s, 0)[rank] = in[rank];
    cluster.sync();
    if (rank == 0 && threadIdx.x < 4) out[threadIdx.x] = s[threadIdx.x];
}
