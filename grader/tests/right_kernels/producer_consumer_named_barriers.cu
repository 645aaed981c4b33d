// launch: grid=1 block=64 shared=0
// arg: float[256]:iota
// arg: float[128]:out
// result: 1[0] = 31
// result: 1[127] = 96
// One warp fills a buffer, and another empties it. Two named barriers pass the buffer back and forth.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    unsigned t = threadIdx.x;
    if (t < 32) {
        for (unsigned k = 0; k < 4; k++) {
            if (k) asm volatile("bar.sync 2, 64;" ::: "memory");
            s[t] = in[32 * k + t];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
    } else {
        for (unsigned k = 0; k < 4; k++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[32 * k + t - 32] = s[63 - t];
            if (k < 3) asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
