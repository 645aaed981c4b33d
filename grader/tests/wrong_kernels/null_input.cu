// launch: grid=1 block=32
// arg: null
// arg: float[32]:out
// expect: null-access line 7
// The input was never allocated.
__global__ void kernel(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}
