// launch: grid=1 block=32 shared=0
// arg: float[32]:iota
// arg: float[1]:out
// result: 1[0] = 5
// Every eighth thread prints.
extern "C" __device__ int printf(const char *, ...);
__global__ void kernel(const float *in, float *out) {
    if (threadIdx.x % 8 == 0) printf("thread %u has %f\n", threadIdx.x, in[threadIdx.x]);
    if (threadIdx.x == 0) out[0] = in[5];
}
