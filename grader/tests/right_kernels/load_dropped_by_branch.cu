// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[1]:out
// result: 1[0] = 64
// The loads precede the branch. After the branch, only the lanes that add use the loaded values.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    volatile float *v = s;
    v[t] = in[t];
    for (unsigned stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        float mine = v[t], other = v[(t + stride) % 64];
        if (t % (2 * stride) == 0) v[t] = mine + other;
    }
    if (t == 0) out[0] = v[0];
}
