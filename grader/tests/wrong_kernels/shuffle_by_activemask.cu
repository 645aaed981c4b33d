// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[2]:out
// release: active-mask line 11
// The mask is right only if the lanes happen to run together.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    float v = in[t];
    unsigned mask = __activemask();
    for (unsigned k = 16; k; k /= 2)
        v += __shfl_down_sync(mask, v, k);
    if (t % 32 == 0) out[t / 32] = v;
}
