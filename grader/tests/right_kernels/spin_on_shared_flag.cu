// launch: grid=1 block=64 shared=0
// arg: float[64]:ones
// arg: float[1]:out
// result: 1[0] = 1
// Warp 1 waits for a volatile flag in shared memory, but reads nothing else that warp 0 has written.
__global__ void kernel(const float *in, float *out) {
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) ready = 1;
    if (threadIdx.x == 32) {
        while (ready == 0) {}
        out[0] = in[0];
    }
}
