// launch: grid=1 block=32
// arg: float[32]:random
// arg: float[32]:out
// expect: race-warp line 12 and 11
// Partners of a butterfly exchange values through shared memory as if they ran in lockstep.
__global__ void kernel(const float *in, float *out) {
    __shared__ volatile float s[32];
    unsigned t = threadIdx.x;
    float x = in[t];
    for (unsigned d = 16; d; d /= 2) {
        s[t] = x;
        x += s[t ^ d];
    }
    out[t] = x;
}
