// launch: grid=1 block=128
// arg: float[128]:random
// arg: float[128]:out
// expect: barrier-mismatch line 16 and 12
// Even and odd warps wait in two branches. The barrier releases all of them, but they wait at different places.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[128];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t / 32 % 2) {
        s[t] *= 2;
        __syncthreads();
        out[t] = s[t];
    } else {
        s[t] += 1;
        __syncthreads();
        out[t] = -s[t];
    }
}
