// launch: grid=1 block=64
// arg: float[64]:random
// arg: float[64]:out
// expect: barrier-divergence line 9 and 13
// The two halves of a warp use two barriers, but the arrival of a warp always counts for the whole warp.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    if (t % 32 < 16) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = in[t];
        return;
    }
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[t] = -in[t];
}
