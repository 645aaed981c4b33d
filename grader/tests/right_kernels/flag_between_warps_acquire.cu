// launch: block=64 debug=0
// arg: float[1]:ones
// arg: float[1]:out
// result: 1[0] = 2
// One warp passes a value to another through a flag, with a release, and with an acquire in a loop that sleeps.
#include <cuda/atomic>
__global__ void kernel(const float *in, float *out) {
    __shared__ float value;
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
    if (threadIdx.x == 32) {
        value = in[0] + 1;
        ready.store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 0) {
        while (!ready.load(cuda::memory_order_acquire)) __nanosleep(100);
        out[0] = value;
    }
}
