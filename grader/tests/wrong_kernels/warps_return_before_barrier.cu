// launch: block=128 shared=512
// arg: float[96]:iota
// arg: float[96]:out
// arg: u32 96
// result: 1[0] = 95
// expect: barrier-after-exit line 13
// Threads past the end return, here a whole warp; all others meet at the barrier.
__global__ void kernel(const float *in, float *out, unsigned n) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    if (t >= n) return;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[n - 1 - t];
}
