// launch: grid=1 block=32 shared=128
// arg: float[32]:random
// arg: float[1]:out
// expect: race-warp line 12
// The warp continues without __syncwarp, as if its lanes ran in lockstep.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned k = 16; k > 0; k >>= 1)
        if (t < k) s[t] += s[t + k];
    if (t == 0) out[0] = s[0];
}
