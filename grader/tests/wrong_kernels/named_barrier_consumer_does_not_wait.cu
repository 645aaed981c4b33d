// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[32]:out
// expect: race-shared line 14 and 10
// The consumer arrives at the named barrier instead of waiting.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    unsigned t = threadIdx.x;
    if (t < 32) {
        s[t] = in[t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        out[t - 32] = s[t - 32];
    }
}
