// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: out-of-bounds line 11
// The last thread reads past the shared array.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[t] + s[t + 1];
}
