// launch: grid=1 block=32 shared=128
// arg: float[32]:random
// arg: float[32]:out
// expect: race-warp line 11 and 12
// There is one __syncwarp() where two exchanges need two.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    float v = s[t ^ 1];
    s[t] = v + 1;
    __syncwarp();
    out[t] = s[t ^ 2];
}
