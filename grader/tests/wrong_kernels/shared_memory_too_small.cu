// launch: grid=1 block=64 shared=256
// arg: float[128]:random
// arg: float[1]:out
// expect: out-of-bounds line 10
// The launch provides one value per thread, but the kernel uses two.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    s[t + blockDim.x] = in[t + blockDim.x];
    __syncthreads();
    if (t == 0) out[0] = s[0];
}
