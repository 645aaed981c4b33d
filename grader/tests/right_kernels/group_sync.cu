// launch: grid=1 block=96 shared=0
// arg: float[96]:ones
// arg: float[96]:out
// result: 1[0] = 2
// result: 1[95] = 2
// block.sync() that all threads reach, some later than others.
#include <cooperative_groups.h>
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[96];
    auto block = cooperative_groups::this_thread_block();
    unsigned t = block.thread_rank();
    s[t] = in[t];
    if (t % 3 == 0) s[t] *= 1;
    block.sync();
    for (unsigned k = 0; k < 2; k++) {
        float v = s[(t + k) % 96];
        block.sync();
        if (k) s[t] = v + 1;
        block.sync();
    }
    out[t] = s[(t + 1) % 96];
}
