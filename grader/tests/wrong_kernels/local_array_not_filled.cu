// launch: block=32
// arg: float[32]:random
// arg: float[32]:out
// arg: u32 3
// expect: uninitialized-local line 10
// The kernel reads elements of a private array that it has not written.
__global__ void kernel(const float *in, float *out, unsigned n) {
    float mine[8];
    for (unsigned k = 0; k < n; k++) mine[k] = in[k];
    out[threadIdx.x] = mine[threadIdx.x % 8];
}
