// launch: block=32
// arg: float[32]:random
// arg: float[32]:out
// arg: u32 3
// expect: uninitialized-local line 10
// A private array is read where nothing was written.
__global__ void kernel(const float *in, float *out, unsigned n) {
    float mine[8];
    for (unsigned k = 0; k < n; k++) mine[k] = in[k];
    out[threadIdx.x] = mine[threadIdx.x % 8];
}
