// A float is not exact enough for the loop's end, so each block loops forever. The blocks fill the GPU, but wait for
// nobody.
// launch: grid=300 block=1024
// launch: debug=0
// arg: float[32]:iota
// arg: float[300]:out
// arg: u32 16777217
// expect: runaway line 13
// says: its conditions do not depend on global memory
// unsaid: could not start
__global__ void kernel(const float *in, float *out, unsigned n) {
    float sum = 0;
    for (float f = threadIdx.x; (unsigned)f < n; f = n) sum = fmaxf(sum, in[threadIdx.x % 32]);
    out[blockIdx.x] = sum;
}
