// The first warp waits for the cluster, and the second warp waits for the first: no thread can continue.
// launch: grid=2 block=64 cluster=2 arch=90 debug=0
// arg: float[128]:random
// arg: float[128]:out
// expect: deadlock line 12 and 14
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(const float *in, float *out) {
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 32)
        cluster.sync();
    else
        __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
}
