// launch: grid=4 block=64 times=2
// arg: float[256]:ones
// arg: float[256]:zero
// result: 1[255] = 2
// What is read through the read-only path is never written, or other parts of the buffer are.
__global__ void kernel(const float *__restrict__ in, float *__restrict__ out) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    out[i] = __ldg(&in[i]) + in[i ^ 1];
}
