// launch: grid=4 block=32 budget=200000
// arg: u32[5]:zero
// expect: runaway line 7
// Each block waits for the next block, and the last block waits for a block that does not exist.
__global__ void kernel(unsigned *flags) {
    if (threadIdx.x) return;
    while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {}
    atomicAdd(&flags[blockIdx.x], 1);
}
