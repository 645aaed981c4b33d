// launch: block=32 shared=128 budget=20000
// arg: float[32]:random
// arg: float[1]:out
// arg: u32 1
// expect: runaway line 10
// The stride is multiplied by one.
__global__ void kernel(const float *in, float *out, unsigned factor) {
    float v = 0;
    for (unsigned stride = 1; stride < 32; stride *= factor)
        v += in[stride];
    out[0] = v;
}
