// launch: grid=4 block=64
// arg: i32[1]:zero
// arg: i32[1]:zero
// result: 1[0] = 8
// One lane of each warp acquires a lock with memory_order_acquire and releases it with memory_order_release.
#include <cuda/atomic>
__global__ void kernel(int *lock, int *sum) {
    if (threadIdx.x % 32 == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
        while (l.exchange(1, cuda::memory_order_acquire)) __nanosleep(50);
        sum[0] = sum[0] + 1;
        l.store(0, cuda::memory_order_release);
    }
}
