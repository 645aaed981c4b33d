// Every block adds its sum to rank 0, which reads its total without waiting and exits.
// launch: grid=4 block=32 cluster=4 arch=90
// arg: i32[128]:random
// arg: i32[4]:zero
// expect: race-cluster line 17 and 16
// expect: cluster-left line 16
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const int *in, int *out) {
    __shared__ int total;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) total = 0;
    cluster.sync();
    int x = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&total, 0), x);
    if (threadIdx.x == 0 && cluster.block_rank() == 0) out[0] = total;
}
