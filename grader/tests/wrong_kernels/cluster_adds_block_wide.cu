// The four blocks of a cluster add to the shared memory of one of them, with atomics of only block scope.
// launch: grid=4 block=32 cluster=4 arch=90
// arg: i32[128]:random
// arg: i32[1]:out
// expect: race-cluster line 14
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const int *in, int *out) {
    __shared__ int total;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) total = 0;
    cluster.sync();
    atomicAdd_block(cluster.map_shared_rank(&total, 0), in[blockIdx.x * 32 + threadIdx.x]);
    cluster.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = total;
}
