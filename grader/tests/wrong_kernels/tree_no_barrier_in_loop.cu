// launch: grid=1 block=128 shared=512
// arg: float[128]:random
// arg: float[1]:out
// expect: race-shared line 12
// The barrier in the loop is missing, so warps read values that other warps may not have written yet.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k >= 32; k >>= 1)
        if (t < k) s[t] += s[t + k];
    __syncthreads();
    if (t == 0) out[0] = s[0];
}
