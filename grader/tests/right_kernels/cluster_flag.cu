// A block writes data to its neighbor's shared memory and then sets a flag there, with release and acquire of cluster scope.
// launch: grid=4 block=32 cluster=2 arch=90
// arg: u32[128]:iota
// arg: u32[128]:out
// result: 1[0] = 32
// result: 1[127] = 95
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ unsigned data[32], flag;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    cluster.map_shared_rank(data, other)[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
        unsigned there, set = 0;
        asm volatile("{ .reg .u32 a; cvt.u32.u64 a, %1; mapa.shared::cluster.u32 %0, a, %2; }"
                     : "=r"(there)
                     : "l"(__cvta_generic_to_shared(&flag)), "r"(other));
        asm volatile("fence.acq_rel.cluster; st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(there) : "memory");
        while (!set)
            asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                         : "=r"(set)
                         : "r"((unsigned)__cvta_generic_to_shared(&flag))
                         : "memory");
    }
    __syncwarp();
    out[blockIdx.x * 32 + threadIdx.x] = data[threadIdx.x];
}
