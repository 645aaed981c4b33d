// launch: grid=1 block=48
// arg: float[48]:random
// arg: float[48]:out
// expect: shuffle-inactive-lane line 8
// The second warp has 16 lanes, but the shuffle reads from lanes past them.
__global__ void kernel(const float *in, float *out) {
    float x = in[threadIdx.x];
    for (int d = 16; d; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    out[threadIdx.x] = x;
}
