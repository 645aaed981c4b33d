// launch: grid=1 block=32
// arg: float[64]:random
// arg: float[32]:out
// arg: u32 2
// expect: uninitialized-local line 10
// The sum starts with the previous contents of its register.
__global__ void kernel(const float *in, float *out, unsigned n) {
    float sum;
    for (unsigned k = 0; k < n; k++) sum += in[32 * k + threadIdx.x];
    out[threadIdx.x] = sum;
}
