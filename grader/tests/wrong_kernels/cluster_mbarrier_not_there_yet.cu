// A block arrives at the neighbor's mbarrier, which the neighbor may not have initialized yet.
// launch: grid=2 block=32 cluster=2 arch=90
// arg: float[64]:iota
// arg: float[64]:out
// expect: mbarrier line 17
// says: that was not initialized
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ unsigned long long bar;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1, i = threadIdx.x, own = (unsigned)__cvta_generic_to_shared(&bar);
    if (i == 0)
        asm volatile("{ .reg .u32 there; mapa.shared::cluster.u32 there, %0, %1;"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(own),
                     "r"(other)
                     : "memory");
    out[blockIdx.x * 32 + i] = in[blockIdx.x * 32 + i];
    cluster.sync();
}
