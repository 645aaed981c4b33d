// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: deadlock line 9 and 11
// Two warps wait for each other at different named barriers.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    if (t < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[t] = in[t];
}
