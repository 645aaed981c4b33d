// launch: block=64 debug=0
// arg: float[1]:ones
// arg: float[1]:out
// expect: race-shared line 18 and 14
// The store of the flag is relaxed, so the value may become visible after the flag.
#include <cuda/atomic>
__global__ void kernel(const float *in, float *out) {
    __shared__ float value;
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
    if (threadIdx.x == 32) {
        value = in[0] + 1;
        ready.store(1, cuda::memory_order_relaxed);
    } else if (threadIdx.x == 0) {
        while (!ready.load(cuda::memory_order_acquire)) {}
        out[0] = value;
    }
}
