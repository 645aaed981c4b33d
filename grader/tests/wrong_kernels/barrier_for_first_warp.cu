// launch: block=128
// arg: float[128]:iota
// arg: float[1]:out
// expect: barrier-after-exit line 14
// says: threads 0-31 wait at line 14; threads 32-127 never arrive: they have exited the kernel
// result: 1[0] = 8128
// Only the first warp reaches the last barrier, which completes because the other warps have left the kernel.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[128];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        s[threadIdx.x] += s[threadIdx.x + 32] + s[threadIdx.x + 64] + s[threadIdx.x + 96];
        __syncthreads();
        if (threadIdx.x == 0) {
            float sum = 0;
            for (int k = 0; k < 32; k++) sum += s[k];
            *out = sum;
        }
    }
}
