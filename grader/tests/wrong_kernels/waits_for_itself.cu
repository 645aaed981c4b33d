// launch: block=1 budget=20000
// arg: i32[1]:zero
// expect: runaway line 6
// A thread waits for a value that only it will write, later.
__global__ void kernel(volatile int *flag) {
    while (*flag == 0) {}
    *flag = 1;
}
