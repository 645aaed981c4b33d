// launch: grid=1 block=64 shared=512
// arg: float[128]:random
// arg: float[1]:out
// expect: race-shared line 14
// expect: race-warp line 14
// Each level reads values that the previous level wrote, both in another warp and in its own.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    s[t + blockDim.x] = in[t + blockDim.x];
    __syncthreads();
    for (unsigned k = 1; k <= blockDim.x; k *= 2)
        if (t % k == 0) s[2 * t] += s[2 * t + k];
    __syncthreads();
    if (t == 0) out[0] = s[0];
}
