// launch: cooperative=1 grid=6 block=32 budget=20000000
// arg: float[6]:out
// arg: i32[6]:zero
// arg: float[1]:out
// result: 2[0] = 9
// The whole chain orders accesses: the last block reads a value that the first block wrote.
__global__ void kernel(float *data, volatile int *ready, float *out) {
    if (threadIdx.x) return;
    unsigned b = blockIdx.x;
    data[b] = b + 3;
    if (b) {
        while (ready[b - 1] == 0) {}
        __threadfence();
    }
    __threadfence();
    ready[b] = 1;
    if (b == gridDim.x - 1) out[0] = data[0] + data[3];
}
