// launch: grid=2 block=96
// arg: i32[2]:out
// arg: i32[2]:out
// result: 1[1] = 42
// Instead of using a barrier, other warps wait for a word of warp 0 with volatile loads and with fences on both sides.
__global__ void kernel(int *data, int *out) {
    __shared__ volatile int ready;
    const unsigned t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t == 0) {
        data[blockIdx.x] = 42;
        __threadfence();
        ready = 1;
    }
    while (!ready) {}
    __threadfence();
    if (t == 95) out[blockIdx.x] = data[blockIdx.x];
}
