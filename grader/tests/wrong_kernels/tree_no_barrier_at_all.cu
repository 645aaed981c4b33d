// launch: grid=1 block=64 shared=256
// arg: float[64]:random
// arg: float[1]:out
// expect: race-warp line 12
// The loop has no barriers, so the lanes of the only warp that adds race.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned k = 32; k > 0; k >>= 1)
        if (t < k) s[t] += s[t + k];
    if (t == 0) out[0] = s[0];
}
