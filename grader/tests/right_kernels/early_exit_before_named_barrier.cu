// launch: block=128 times=1
// arg: float[100]:iota
// arg: float[100]:out
// arg: u32 100
// result: 1[0] = 99
// result: 1[99] = 0
// A barrier with a count counts warps, so it does not wait for lanes of the last warp that have returned.
__global__ void kernel(const float *in, float *out, unsigned n) {
    __shared__ float s[128];
    unsigned t = threadIdx.x;
    if (t >= n) return;
    s[t] = in[t];
    asm volatile("bar.sync 1, 128;" ::: "memory");
    float x = s[n - 1 - t];
    asm volatile("bar.sync 2, 128;" ::: "memory");
    s[t] = x;
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[t] = s[t];
}
