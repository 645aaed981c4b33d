// launch: block=64 debug=0
// arg: float[64]:iota
// arg: float[64]:out
// expect: race-shared line 13 and 12
// The barrier is initialized for 32 threads, but 64 arrive, so it releases the first 32 too early.
#include <cuda/barrier>
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    if (threadIdx.x == 0) init(&meet, 32);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x]; meet.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
