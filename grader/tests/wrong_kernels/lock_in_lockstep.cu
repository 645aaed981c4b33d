// launch: block=32 budget=200000
// arg: i32[1]:zero
// arg: i32[1]:zero
// expect: sync-missing-lane line 8 and 7
// The classic deadlock: the lane that holds the lock leaves the loop, but waits for its warp before it releases the lock.
__global__ void kernel(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __syncwarp();
    __threadfence();
    sum[0] = sum[0] + 1;
    __threadfence();
    atomicExch(lock, 0);
}
