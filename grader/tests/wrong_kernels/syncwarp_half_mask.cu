// launch: grid=1 block=32 shared=128
// arg: float[32]:random
// arg: float[1]:out
// expect: race-warp line 13 and 10
// expect: same-value line 14
// The mask of __syncwarp leaves out the lanes that wrote.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t < 16) {
        __syncwarp(0xffff);
        s[t] += s[t + 16];
        out[0] = 0;
    }
}
