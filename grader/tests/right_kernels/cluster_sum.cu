// The blocks in a cluster leave their sums in shared memory, and rank 0 adds them up.
// launch: grid=8 block=64 cluster=4 arch=90
// arg: i32[512]:ones
// arg: i32[2]:out
// result: 1[0] = 256
// result: 1[1] = 256
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const int *in, int *out) {
    __shared__ int part[2], total;
    cg::cluster_group cluster = cg::this_cluster();
    int x = __reduce_add_sync(~0u, in[blockIdx.x * 64 + threadIdx.x]);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) total = part[0] + part[1];
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned r = 0; r < cluster.num_blocks(); r++) sum += *cluster.map_shared_rank(&total, r);
        out[blockIdx.x / cluster.num_blocks()] = sum;
    }
    cluster.sync();
}
