// launch: grid=1 block=128 shared=512
// arg: float[128]:random
// arg: float[1]:out
// expect: race-shared line 11 and 9
// The first level reads elements that other warps are still loading.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}
