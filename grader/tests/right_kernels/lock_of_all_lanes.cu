// launch: grid=2 block=64
// arg: i32[1]:zero
// arg: i32[1]:zero
// result: 1[0] = 128
// Every lane acquires the lock and releases it in the same iteration, so that no lane waits for a stalled one.
__global__ void kernel(int *lock, int *sum) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0] = sum[0] + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
