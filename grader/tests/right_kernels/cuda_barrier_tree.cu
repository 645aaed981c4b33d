// launch: block=256 debug=0 budget=600000
// arg: float[256]:iota
// arg: float[1]:out
// result: 1[0] = 32640
// A tree with cuda::barrier: waiting threads yield to others, so waiting uses little of the budget.
#include <cuda/barrier>
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    unsigned t = threadIdx.x;
    if (t == 0) init(&meet, blockDim.x);
    __syncthreads();
    s[t] = in[t];
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        meet.arrive_and_wait();
        if (t < half) s[t] += s[t + half];
    }
    if (t == 0) *out = s[0];
}
