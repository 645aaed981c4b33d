// Only rank 0 writes its array, but all blocks read all arrays.
// launch: grid=2 block=32 cluster=2 arch=90
// arg: float[32]:random
// arg: float[64]:out
// expect: uninitialized-shared line 15
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) s[threadIdx.x] = in[threadIdx.x];
    cluster.sync();
    float sum = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); r++) sum += cluster.map_shared_rank(s, r)[threadIdx.x];
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
