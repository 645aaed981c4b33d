// launch: grid=2 block=32 budget=200000
// arg: i32[1]:zero
// arg: i32[1]:zero
// expect: runaway line 8
// The block that acquires the lock returns without releasing it.
__global__ void kernel(int *lock, int *sum) {
    if (threadIdx.x) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += 1;
}
