// launch: grid=1 block=128
// arg: float[128]:ones
// arg: float[1]:out
// result: 1[0] = 128
// Two buffers; all threads load each step's operands before the loop tests whether that step exists.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2][128];
    unsigned t = threadIdx.x, from = 0;
    volatile float *v = &s[0][0];
    v[t] = in[t];
    v[128 + t] = 0;
    __syncthreads();
    unsigned stride = 64;
    float a = v[t], b = v[(t + 64) % 128];
    while (stride) {
        from ^= 128;
        if (t < stride) v[from + t] = a + b;
        __syncthreads();
        stride /= 2;
        a = v[from + t];
        b = v[from + (t + stride) % 128];
    }
    if (t == 0) out[0] = a;
}
