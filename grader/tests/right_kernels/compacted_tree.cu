// launch: grid=1 block=128 shared=512
// arg: float[128]:iota
// arg: float[1]:out
// result: 1[0] = 8128
// Row B2 of the ladder, in shared memory.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) out[0] = s[0];
}
