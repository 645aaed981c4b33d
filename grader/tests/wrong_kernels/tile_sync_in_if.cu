// launch: grid=1 block=64
// launch: debug=0
// arg: float[64]:random
// arg: float[64]:out
// expect: sync-missing-lane line 14 and 15
// Half of the lanes of a warp execute tile.sync() for the whole warp, while the others wait for the block.
#include <cooperative_groups.h>
__global__ void kernel(const float *in, float *out) {
    auto block = cooperative_groups::this_thread_block();
    auto tile = cooperative_groups::tiled_partition<32>(block);
    unsigned t = threadIdx.x;
    out[t] = in[t];
    if (t % 32 < 16)
        tile.sync();
    block.sync();
}
