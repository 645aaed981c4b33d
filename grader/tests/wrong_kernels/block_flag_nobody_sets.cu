// Each block waits for a flag in its own shared memory, which nobody sets. More blocks than fit on the GPU do so.
// launch: grid=300 block=1024
// arg: i32[300]:out
// expect: runaway line 10
// unsaid: could not start
__global__ void kernel(int *out) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    while (flag == 0) {}
    out[blockIdx.x] = 1;
}
