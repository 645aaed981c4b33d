// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[64]:ones
// release: read-only-path line 13 and 11
// debug: read-only-path line 13 and 11
// Barriers order plain loads, but not __ldg().
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    out[t] = s[t] + 1;
    __syncthreads();
    s[t] = __ldg(&out[63 - t]);
    __syncthreads();
    if (t == 0 && s[0] < 0) __trap();
}
