// launch: grid=4 block=32
// arg: float[128]:random
// arg: float[4]:out
// arg: u32[1]:zero
// arg: float[1]:out
// expect: race-blocks line 16 and 13
// The fence comes before the write of the partial sum, not after it.
__global__ void kernel(const float *in, float *partial, unsigned *ticket, float *total) {
    float x = in[blockIdx.x * 32 + threadIdx.x];
    for (int d = 16; d; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x) return;
    __threadfence();
    partial[blockIdx.x] = x;
    if (atomicAdd(ticket, 1) == gridDim.x - 1) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++) sum += partial[b];
        *total = sum;
    }
}
