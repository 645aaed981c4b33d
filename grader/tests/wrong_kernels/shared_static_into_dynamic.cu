// launch: block=64 shared=256
// arg: float[64]:ones
// arg: float[64]:out
// expect: out-of-bounds line 10
// expect: out-of-bounds line 12
// An array of one element precedes the dynamic part, and the kernel uses it as if it were longer.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[1];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[t];
}
