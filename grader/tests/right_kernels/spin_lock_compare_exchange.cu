// launch: grid=3 block=96
// arg: i32[1]:zero
// arg: i32[1]:zero
// result: 1[0] = 9
#include <cuda/atomic>
__global__ void kernel(int *lock, int *sum) {
    if (threadIdx.x % 32 == 5) {
        cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
        for (int free = 0; !l.compare_exchange_weak(free, 1, cuda::memory_order_acq_rel); free = 0) {}
        sum[0] += 1;
        l.store(0, cuda::memory_order_release);
    }
}
