// launch: grid=2 block=96
// arg: i32[2]:out
// arg: i32[2]:out
// expect: race-global line 16 and 12
// Other warps see the volatile flag, but nothing orders the writes before it.
__global__ void kernel(int *data, int *out) {
    __shared__ volatile int ready;
    const unsigned t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t == 0) {
        data[blockIdx.x] = 42;
        ready = 1;
    }
    while (!ready) {}
    if (t == 95) out[blockIdx.x] = data[blockIdx.x];
}
