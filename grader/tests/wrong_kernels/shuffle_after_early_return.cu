// launch: block=32
// arg: float[20]:random
// arg: float[1]:out
// arg: u32 20
// expect: shuffle-inactive-lane line 11
// Threads past the end have returned, but the shuffle still reads their lanes.
__global__ void kernel(const float *in, float *out, unsigned n) {
    unsigned t = threadIdx.x;
    if (t >= n) return;
    float v = in[t];
    v += __shfl_down_sync(0xffffffff, v, 16);
    if (t == 0) out[0] = v;
}
