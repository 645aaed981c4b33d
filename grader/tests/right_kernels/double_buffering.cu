// launch: grid=1 block=64 shared=0
// arg: float[64]:iota
// arg: float[64]:out
// result: 1[17] = 2016
// Two buffers that alternate, with one barrier per step.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[2][64];
    unsigned t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    for (unsigned k = 32; k > 0; k >>= 1, now ^= 1) {
        __syncthreads();
        s[now ^ 1][t] = s[now][t] + s[now][t ^ k];
    }
    out[t] = s[now][t];
}
