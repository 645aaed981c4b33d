// launch: block=64 debug=0
// arg: float[64]:iota
// arg: float[64]:out
// result: 1[0] = 63
// result: 1[63] = 0
// cuda::barrier in shared memory: arrive, other work, wait.
#include <cuda/barrier>
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    unsigned t = threadIdx.x;
    if (t == 0) init(&meet, blockDim.x);
    __syncthreads();
    s[t] = in[t];
    auto token = meet.arrive();
    float own = in[t] * 0;
    meet.wait(static_cast<decltype(token) &&>(token));
    float v = s[63 - t] + own;
    meet.arrive_and_wait();
    s[t] = v;
    meet.arrive_and_wait();
    out[t] = s[t];
}
