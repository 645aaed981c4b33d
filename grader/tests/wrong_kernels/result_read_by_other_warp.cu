// launch: grid=1 block=64 shared=256
// arg: float[64]:random
// arg: float[1]:out
// expect: race-shared line 14 and 12
// Thread 32 writes the result. Without a barrier, only thread 0 may do so.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
    if (t == 32) out[0] = s[0];
}
