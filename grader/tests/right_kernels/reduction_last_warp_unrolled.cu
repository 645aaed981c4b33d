// launch: block=128 shared=512
// arg: float[256]:ones
// arg: float[1]:out
// result: 1[0] = 256
// The reduction of the CUDA samples: two loads per thread, a tree, and shuffles in the last warp.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    float sum = in[t] + in[t + blockDim.x];
    s[t] = sum;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
        if (t < k) s[t] = sum = sum + s[t + k];
        __syncthreads();
    }
    if (t < 32) {
        sum += s[t + 32];
        for (unsigned k = 16; k; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);
        if (t == 0) out[0] = sum;
    }
}
