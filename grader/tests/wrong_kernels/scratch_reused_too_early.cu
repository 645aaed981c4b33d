// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: race-shared line 11 and 12
// The scratch array is used a second time while other warps still read the first result.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    float first = s[63 - t];
    s[t] = 2 * in[t];
    __syncthreads();
    out[t] = first + s[63 - t];
}
