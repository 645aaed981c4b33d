// Each block writes to its neighbor's shared memory, and then arrives at the neighbor's mbarrier.
// launch: grid=4 block=64 cluster=2 arch=90
// arg: float[256]:iota
// arg: float[256]:out
// result: 1[0] = 64
// result: 1[255] = 191
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ unsigned long long bar;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1, i = threadIdx.x, own = (unsigned)__cvta_generic_to_shared(&bar);
    if (i == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(own) : "memory");
    cluster.sync();
    cluster.map_shared_rank(s, other)[i] = in[blockIdx.x * 64 + i];
    asm volatile("{ .reg .u32 there; mapa.shared::cluster.u32 there, %0, %1;"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(own),
                 "r"(other)
                 : "memory");
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(own)
                     : "memory");
    out[blockIdx.x * 64 + i] = s[i];
}
