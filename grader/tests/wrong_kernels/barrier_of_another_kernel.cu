// launch: block=64 kernel=kernel
// arg: float[64]:random
// arg: float[64]:out
// expect: race-shared line 16 and 7
// unsaid: bypasses the barrier
// The barrier between the two lines belongs to another kernel.
__device__ __noinline__ void put(float *s, unsigned at, float x) { s[at] = x; }
__global__ void other(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1, __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    put(s, threadIdx.x, in[threadIdx.x]);
    out[threadIdx.x] = s[(threadIdx.x + 32) % 64];
}
