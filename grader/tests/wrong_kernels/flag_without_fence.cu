// launch: cooperative=1 grid=2 block=32
// arg: float[1]:out
// arg: i32[1]:zero
// arg: float[1]:out
// expect: race-blocks line 15 and 10
// The other block may see the flag before the data.
__global__ void kernel(float *data, volatile int *flag, float *out) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        data[0] = 7;
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        out[0] = data[0];
    }
}
