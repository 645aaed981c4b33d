// launch: grid=1 block=128
// arg: float[64]:random
// arg: float[64]:out
// expect: deadlock line 13
// Two warps wait for 128 threads, but only one of the two producer warps arrives.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    if (t >= 64) {
        s[t - 64] = in[t - 64];
        if (t < 96) asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[t] = s[t];
    }
}
