// launch: grid=1 block=64
// launch: debug=0
// arg: float[64]:ones
// arg: float[64]:out
// expect: race-shared line 14 and 16
// expect: race-warp line 14 and 16
// Every second lane uses the value that it loads, but other lanes are overwriting half of these values.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[68];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t < 4) s[t + 64] = 0;
    __syncthreads();
    float other = ((volatile float *)s)[t + 2];
    float x = t % 2 == 0 ? 1 + other : 1;
    if (t % 4 == 0) s[t] = x;
    out[t] = x;
}
