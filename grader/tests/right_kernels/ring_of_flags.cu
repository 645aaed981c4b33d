// launch: cooperative=1 grid=6 block=32 budget=20000000
// arg: float[192]:ones
// arg: float[6]:out
// arg: i32[6]:zero
// result: 1[5] = 6
// Each block waits for the flag of the previous block and passes the running sum on.
__global__ void kernel(const float *in, float *running, volatile int *ready) {
    if (threadIdx.x) return;
    unsigned b = blockIdx.x;
    float v = in[b * 32];
    if (b) {
        while (ready[b - 1] == 0) {}
        __threadfence();
        v += running[b - 1];
    }
    running[b] = v;
    __threadfence();
    ready[b] = 1;
}
