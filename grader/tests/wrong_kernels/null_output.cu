// launch: block=32
// arg: float[32]:random
// arg: null
// expect: null-access line 7
// The kernel gets no output buffer.
__global__ void kernel(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}
