// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[32]:out
// expect: race-shared line 11
// Threads t and t + 32 add to the same bin.
__global__ void kernel(const float *in, float *out) {
    __shared__ float bins[32];
    unsigned t = threadIdx.x;
    if (t < 32) bins[t] = 0;
    __syncthreads();
    bins[t % 32] += in[t];
    __syncthreads();
    if (t < 32) out[t] = bins[t];
}
