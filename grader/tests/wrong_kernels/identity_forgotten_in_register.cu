// launch: grid=1 block=32
// arg: float[20]:random
// arg: float[1]:out
// arg: u32 20
// release: uninitialized-local line 11
// Lanes past the end have no value, but other lanes get it by a shuffle.
__global__ void kernel(const float *in, float *out, unsigned n) {
    float x;
    if (threadIdx.x < n) x = in[threadIdx.x];
    for (int d = 16; d; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x == 0) *out = x;
}
