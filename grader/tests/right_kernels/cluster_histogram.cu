// Each block holds a part of the bins; all blocks add to all bins.
// launch: grid=4 block=64 arch=90
// arg: u32[256]:iota
// arg: u32[64]:out
// result: 1[0] = 4
// result: 1[63] = 4
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) kernel(const unsigned *in, unsigned *out) {
    __shared__ unsigned bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    cluster.sync();
    unsigned bin = in[blockIdx.x * 64 + threadIdx.x] * 7 % 64;
    atomicAdd(cluster.map_shared_rank(bins, bin / 16) + bin % 16, 1);
    cluster.sync();
    if (threadIdx.x < 16) out[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];
}
