// launch: grid=2 block=32 cluster=2 arch=90
// arg: u32[64]:out
// expect: uninitialized-shared line 15
// The blocks exchange pointers into their shared memory through global memory, but such a pointer refers to the reader's own shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned *place[2];
__global__ void kernel(unsigned *out) {
    __shared__ unsigned s[32];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x;
    if (blockIdx.x == 0) s[t] = t;
    if (t == 0) place[blockIdx.x] = s;
    cluster.sync();
    out[blockIdx.x * 32 + t] = place[0][t];
    cluster.sync();
}
