// launch: grid=2 block=64 cooperative=1
// arg: float[128]:random
// arg: float[128]:out
// expect: barrier-divergence line 12
// Half a warp executes grid.sync(), which begins with a barrier for the whole block.
#include <cooperative_groups.h>
__global__ void kernel(const float *in, float *out) {
    auto grid = cooperative_groups::this_grid();
    unsigned t = grid.thread_rank();
    out[t] = in[t];
    if (threadIdx.x >= 16)
        grid.sync();
}
