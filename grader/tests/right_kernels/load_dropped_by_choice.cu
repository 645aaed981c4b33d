// launch: grid=2 block=128
// arg: float[256]:ones
// arg: float[2]:out
// result: 1[1] = 128
// All lanes load their partner's value, even those that discard it. Only values that are used must be ordered.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    float x = in[blockIdx.x * 128 + t];
    s[t] = x, s[t + 128] = 0;
    for (unsigned stride = 1; stride < 128; stride *= 2) {
        __syncthreads();
        float other = ((volatile float *)s)[t + stride];
        float sum = t % (2 * stride) == 0 ? x + other : x;
        if (t % (2 * stride) == 0) s[t] = x = sum;
    }
    if (t == 0) out[blockIdx.x] = x;
}
