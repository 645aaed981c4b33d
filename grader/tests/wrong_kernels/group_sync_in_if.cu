// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// release: barrier-divergence line 13
// debug: barrier-divergence line 12
// Half a warp executes block.sync(), which is __syncthreads() under another name.
#include <cooperative_groups.h>
__global__ void kernel(const float *in, float *out) {
    auto block = cooperative_groups::this_thread_block();
    unsigned t = threadIdx.x;
    out[t] = in[t];
    if (t < 16)
        block.sync();
}
