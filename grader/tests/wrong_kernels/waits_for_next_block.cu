// launch: grid=8 block=32
// arg: i32[9]:zero
// arg: i32[8]:out
// expect: residency line 10
// Each block waits for the next block.
__global__ void kernel(int *flag, int *out) {
    if (threadIdx.x == 0) {
        bool last = blockIdx.x == gridDim.x - 1;
        if (last) atomicExch(&flag[blockIdx.x], 1);
        while (!last && atomicAdd(&flag[blockIdx.x + 1], 0) == 0) {}
        atomicExch(&flag[blockIdx.x], 1);
        out[blockIdx.x] = 1;
    }
}
