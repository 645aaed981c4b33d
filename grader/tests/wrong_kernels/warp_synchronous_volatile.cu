// launch: grid=1 block=64 shared=256
// arg: float[64]:random
// arg: float[1]:out
// expect: race-warp line 9 and 8
// expect: race-warp line 9
// Warp-synchronous style of GPUs before Volta: volatile makes the compiler perform each store, but does not order the lanes' accesses.
__device__ void last_warp(volatile float *s, unsigned t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
}
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) last_warp(s, t);
    if (t == 0) out[0] = s[0];
}
