// launch: block=32 times=1
// arg: float[32]:random
// arg: float[33]:out
// arg: float[1]:out
// expect: uninitialized-global line 12
// The sum includes one more partial than exists.
__global__ void kernel(const float *in, float *partial, float *out) {
    partial[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x) return;
    float sum = 0;
    for (unsigned k = 0; k <= blockDim.x; k++) sum += partial[k];
    out[0] = sum;
}
