// launch: grid=1 block=96 shared=0
// arg: float[96]:random
// arg: float[96]:out
// expect: deadlock line 9
// The barrier waits for three warps, but only two arrive.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    if (t >= 64) return;
    asm volatile("bar.sync 1, 96;" ::: "memory");
    out[t] = in[t];
}
