// launch: grid=2 block=64
// arg: float[100]:random
// arg: float[128]:out
// arg: u32 100
// expect: out-of-bounds line 10
// The guard admits one thread too many.
__global__ void kernel(const float *in, float *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = in[i];
}
