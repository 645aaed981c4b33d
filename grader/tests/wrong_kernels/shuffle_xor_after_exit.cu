// launch: grid=1 block=32
// arg: float[20]:random
// arg: float[32]:out
// arg: u32 20
// expect: shuffle-inactive-lane line 10
// Lanes past the end have returned, but their partners still read from them.
__global__ void kernel(const float *in, float *out, unsigned n) {
    if (threadIdx.x >= n) return;
    float x = in[threadIdx.x];
    for (int d = 16; d; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d);
    out[threadIdx.x] = x;
}
