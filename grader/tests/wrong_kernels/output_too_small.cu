// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[3]:out
// expect: out-of-bounds line 7
// Each block writes a partial, but the buffer has room for fewer.
__global__ void kernel(const float *in, float *out) {
    if (threadIdx.x == 0) out[blockIdx.x] = in[blockIdx.x * 32];
}
