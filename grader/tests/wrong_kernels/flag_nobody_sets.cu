// launch: grid=3 block=64 budget=4000000
// arg: i32[4]:zero
// expect: runaway line 9
// Each block waits for a flag that is never set. The simulator detects this before the budget is exhausted.
__global__ void kernel(int *flags) {
    if (threadIdx.x == 0) {
        flags[blockIdx.x] = 1;
        __threadfence();
        while (((volatile int *)flags)[3] == 0) __nanosleep(20);
    }
    __syncthreads();
}
