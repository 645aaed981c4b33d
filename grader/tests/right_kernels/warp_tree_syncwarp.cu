// launch: grid=1 block=64 shared=256
// arg: float[64]:iota
// arg: float[1]:out
// result: 1[0] = 2016
// Row D1 of the ladder: one warp reduces the last 32 elements, with __syncwarp() between reads and writes.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (unsigned k = 16; k > 0; k >>= 1) {
            s[t] = v;
            __syncwarp();
            v += s[(t + k) % 32];
            __syncwarp();
        }
        if (t == 0) out[0] = v;
    }
}
