// launch: grid=1 block=128 shared=512
// arg: float[128]:random
// arg: float[1]:out
// expect: barrier-divergence line 15
// expect: barrier-after-exit line 15
// The barrier was moved into the if, together with the work before it.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned k = 64; k > 0; k /= 2)
        if (t < k) {
            s[t] += s[t + k];
            __syncthreads();
        }
    if (t == 0) *out = s[0];
}
