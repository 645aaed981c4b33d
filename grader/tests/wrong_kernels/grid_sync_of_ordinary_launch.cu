// launch: grid=2 block=64
// arg: float[128]:random
// arg: float[128]:out
// expect: residency line 12
// grid.sync() requires that all blocks are resident, which only a cooperative launch guarantees.
#include <cooperative_groups.h>
__global__ void kernel(const float *in, float *out) {
    auto grid = cooperative_groups::this_grid();
    unsigned t = grid.thread_rank();
    out[t] = in[t];
    __threadfence();
    grid.sync();
    out[t] += in[127 - t];
}
