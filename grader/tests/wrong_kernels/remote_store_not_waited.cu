// launch: grid=2 block=32 cluster=2 arch=90
// arg: u32[64]:out
// expect: cluster-left line 21
// expect: uninitialized-shared line 22
// expect: copy-in-flight line 22 and 21
// The words that the other block sends with st.async are read before the mbarrier's phase, which reports their arrival, is complete.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void kernel(unsigned *out) {
    __shared__ unsigned s[32];
    __shared__ unsigned long long full;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, other = cluster.block_rank() ^ 1;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(AT(&full)) : "memory");
    }
    cluster.sync();
    asm volatile("{.reg .u32 a, b; mapa.shared::cluster.u32 a, %0, %2; mapa.shared::cluster.u32 b, %1, %2;"
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [a], %3, [b];}" ::"r"(AT(&s[t])), "r"(AT(&full)), "r"(other), "r"(t) : "memory");
    out[blockIdx.x * 32 + t] = s[t];
    cluster.sync();
}
