// launch: grid=1 block=32
// arg: float[32]:iota
// arg: float[32]:zero
// arg: u32 20
// result: 1[3] = 193
// result: 1[25] = 0
// Only some lanes set a variable, and only these use it: in a sum, in a branch, and in a shuffle among them.
__global__ void kernel(const float *in, float *out, unsigned n) {
    unsigned t = threadIdx.x, mine = __ballot_sync(0xffffffff, t < n);
    float x;
    int last;
    if (t < n) x = in[t];
    for (int k = 0; k < 4; k++) last = k;
    float y = x + last;
    float from_first = __shfl_sync(0xffffffff, y, t < n ? 0 : t);
    if (t < n) {
        for (int d = 16; d; d /= 2) {
            float other = __shfl_sync(mine, x, t + d < n ? t + d : t);
            if (t + d < n) x += other;
        }
        x = __shfl_sync(mine, x, 0);
    }
    if (t < n && x > 0) out[t] = x + from_first;
}
