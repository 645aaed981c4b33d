// launch: grid=2 block=64
// arg: float[100]:const
// arg: float[128]:out
// expect: out-of-bounds line 8
// The last block reads past the end of the input.
__global__ void kernel(const float *in, float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
