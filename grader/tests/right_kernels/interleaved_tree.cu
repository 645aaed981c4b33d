// launch: grid=1 block=64 shared=512
// arg: float[128]:iota
// arg: float[1]:out
// result: 1[0] = 8128
// Row B1 of the ladder: strides double, two elements per thread. No barrier after the last level: thread 0 reads only its own value.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    s[t + blockDim.x] = in[t + blockDim.x];
    for (unsigned k = 1; k <= blockDim.x; k *= 2) {
        __syncthreads();
        if (t % k == 0) s[2 * t] += s[2 * t + k];
    }
    if (t == 0) out[0] = s[0];
}
