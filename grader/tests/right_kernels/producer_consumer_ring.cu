// launch: block=64 debug=0
// arg: i32[16]:iota
// arg: i32[16]:out
// result: 1[15] = 30
// One warp fills a ring of four places, and another empties it.
#include <cuda/atomic>
__global__ void kernel(const int *in, int *out) {
    __shared__ int ring[4], head, tail;
    if (threadIdx.x == 0) head = tail = 0;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block> filled(head), emptied(tail);
    if (threadIdx.x == 0)
        for (int k = 0; k < 16; k++) {
            while (k - emptied.load(cuda::memory_order_acquire) >= 4) __nanosleep(20);
            ring[k % 4] = 2 * in[k];
            filled.store(k + 1, cuda::memory_order_release);
        }
    if (threadIdx.x == 32)
        for (int k = 0; k < 16; k++) {
            while (filled.load(cuda::memory_order_acquire) <= k) __nanosleep(20);
            out[k] = ring[k % 4];
            emptied.store(k + 1, cuda::memory_order_release);
        }
}
