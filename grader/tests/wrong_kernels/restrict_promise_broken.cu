// launch: grid=1 block=32 debug=0
// arg: float[32]:ones
// expect: read-only-path line 8 and 9
// Both parameters are the same buffer, but const and __restrict__ promise that nothing writes the data that are read.
__device__ float *same(float *p) { return p; }
__global__ void kernel(float *data) {
    const float *__restrict__ in = data;
    float v = __ldg(in + threadIdx.x);
    same(data)[threadIdx.x] = v + 1;
}
