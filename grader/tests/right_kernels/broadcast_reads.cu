// launch: grid=1 block=128 shared=0
// arg: float[128]:iota
// arg: float[128]:out
// result: 1[100] = 3
// All threads read the same element. After a barrier, one thread replaces it.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2];
    unsigned t = threadIdx.x;
    if (t == 0) s[0] = in[1], s[1] = in[2];
    __syncthreads();
    float v = s[0] + s[1] + in[0];
    __syncthreads();
    if (t == 64) s[0] = v;
    __syncthreads();
    out[t] = s[0];
}
