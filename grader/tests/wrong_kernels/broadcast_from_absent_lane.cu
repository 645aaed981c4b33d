// launch: grid=1 block=32
// arg: float[32]:random
// arg: float[32]:out
// expect: shuffle-inactive-lane line 8
// Odd lanes shuffle from lane 0, which is in the other branch.
__global__ void kernel(const float *in, float *out) {
    float x = in[threadIdx.x];
    if (threadIdx.x & 1) x = __shfl_sync(0xaaaaaaaa, x, 0);
    out[threadIdx.x] = x;
}
