// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[1]:zero
// arg: float[4]:out
// expect: race-blocks line 10 and 9
// A block reads the sum while other blocks still add to it.
__global__ void kernel(const float *in, float *sum, float *out) {
    if (threadIdx.x) return;
    atomicAdd(sum, in[blockIdx.x * 32]);
    out[blockIdx.x] = *sum;
}
