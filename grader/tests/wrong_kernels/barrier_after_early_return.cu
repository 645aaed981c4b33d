// launch: grid=1 block=128
// arg: float[128]:random
// arg: float[1]:out
// arg: u32 96
// expect: deadlock line 11
// A barrier with a count of 128 threads, 32 of which have returned. Unlike __syncthreads(), it waits for them.
__global__ void kernel(const float *in, float *out, unsigned n) {
    __shared__ float s[128];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (threadIdx.x == 0) *out = s[95];
}
