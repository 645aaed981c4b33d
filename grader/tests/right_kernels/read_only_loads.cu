// launch: grid=4 block=64 times=2
// arg: float[256]:ones
// arg: float[256]:zero
// result: 1[255] = 2
// Data that are read through the read-only path are never written; writes go to other parts of the buffer.
__global__ void kernel(const float *__restrict__ in, float *__restrict__ out) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    out[i] = __ldg(&in[i]) + in[i ^ 1];
}
