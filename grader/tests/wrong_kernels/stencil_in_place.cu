// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: race-shared line 13
// expect: race-warp line 13
// Each thread replaces its element, which its left neighbor may not have read yet.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[65];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t == 0) s[64] = 0;
    __syncthreads();
    s[t] = s[t] + s[t + 1];
    __syncthreads();
    out[t] = s[t];
}
