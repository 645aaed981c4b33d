// launch: grid=1 block=128 shared=0
// arg: float[128]:iota
// arg: float[128]:out
// result: 1[0] = 32
// result: 1[100] = 68
// Two of four warps synchronize at a named barrier.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[128];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t < 64)
        asm volatile("bar.sync 3, 64;" ::: "memory");
    else
        asm volatile("bar.sync 4, 64;" ::: "memory");
    out[t] = s[t ^ 32];
}
