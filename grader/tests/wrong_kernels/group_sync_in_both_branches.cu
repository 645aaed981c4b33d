// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// release: barrier-divergence line 14 and 16
// debug: barrier-divergence line 13 and 14
// Each side of the branch has its own block.sync(): the numbers of barriers match, but the places differ.
#include <cooperative_groups.h>
__global__ void kernel(const float *in, float *out) {
    auto block = cooperative_groups::this_thread_block();
    unsigned t = threadIdx.x;
    out[t] = in[t];
    if (t % 32 < 16) {
        out[t] += 1;
        block.sync();
    } else
        block.sync();
}
