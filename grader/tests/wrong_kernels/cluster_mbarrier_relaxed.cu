// The arrival at the neighbor's mbarrier is relaxed, so it does not order the writes before it.
// launch: grid=4 block=32 cluster=2 arch=90
// arg: float[128]:iota
// arg: float[128]:out
// expect: race-cluster line 27 and 16
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    __shared__ unsigned long long bar;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1, i = threadIdx.x, own = (unsigned)__cvta_generic_to_shared(&bar);
    if (i == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(own) : "memory");
    cluster.sync();
    cluster.map_shared_rank(s, other)[i] = in[blockIdx.x * 32 + i];
    asm volatile("{ .reg .u32 there; mapa.shared::cluster.u32 there, %0, %1;"
                 "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [there]; }" ::"r"(own),
                 "r"(other)
                 : "memory");
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(own)
                     : "memory");
    __syncthreads();
    out[blockIdx.x * 32 + i] = s[i];
    cluster.sync();
}
