// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: uninitialized-global line 7
// The result is added to the initial contents of the output buffer.
__global__ void kernel(const float *in, float *out) {
    out[threadIdx.x] += in[threadIdx.x];
}
