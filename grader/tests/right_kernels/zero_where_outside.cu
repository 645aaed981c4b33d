// launch: grid=2 block=64
// arg: float[100]:ones
// arg: float[128]:out
// arg: u32 100
// result: 1[99] = 1
// result: 1[100] = 0
// In place: threads past the end load the last element, but only the thread that owns this element uses the value.
__global__ void kernel(float *in, float *out, unsigned n) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    float other = ((volatile float *)in)[i < n ? i : n - 1];
    float x = 0;
    for (unsigned k = 0; k < 3; k++)
        if (i < n) x = other;
    if (i < n) in[i] = x * 2;
    out[i] = x;
}
