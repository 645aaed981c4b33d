// A tree over the blocks in a cluster: in each step, the lower half adds the values of the upper half.
// launch: grid=16 block=32 cluster=8 arch=90
// arg: i32[512]:iota
// arg: i32[64]:out
// result: 1[0] = 896
// result: 1[63] = 3192
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const int *in, int *out) {
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), i = threadIdx.x;
    s[i] = in[blockIdx.x * 32 + i];
    for (unsigned half = cluster.num_blocks() / 2; half > 0; half /= 2) {
        cluster.sync();
        if (rank < half) s[i] += cluster.map_shared_rank(s, rank + half)[i];
    }
    cluster.sync();
    if (rank == 0) out[blockIdx.x / cluster.num_blocks() * 32 + i] = s[i];
}
