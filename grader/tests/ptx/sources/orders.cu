/* Atomics with an order and a scope, and loads and stores with cache hints. For nvcc only. */
#include <cuda/atomic>

__global__ void orders(int *data, float *floats) {
    cuda::atomic_ref<int, cuda::thread_scope_device> whole(*data);
    cuda::atomic_ref<float, cuda::thread_scope_block> local(*floats);
    whole.fetch_add(1, cuda::memory_order_relaxed);
    whole.fetch_max(3);
    whole.store(whole.load(cuda::memory_order_acquire) + 1, cuda::memory_order_release);
    local.fetch_add(2.0f);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    __stwt(data + 1, __ldcg(data + 2) + __ldcs(data + 3) + __ldg(data + 4) + __ldcv(data + 5));
    if (__isShared(data)) __trap();
    __nanosleep(100);
}
