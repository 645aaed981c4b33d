// launch: block=64
// arg: i32[64]:ones
// arg: i32[64]:out
// result: 1[63] = 64
// Hillis-Steele scan with two buffers and one barrier per step.
__global__ void kernel(const int *in, int *out) {
    __shared__ int s[2][64];
    unsigned t = threadIdx.x, now = 0;
    s[now][t] = in[t];
    __syncthreads();
    for (unsigned k = 1; k < 64; k *= 2) {
        s[!now][t] = s[now][t] + (t >= k ? s[now][t - k] : 0);
        now = !now;
        __syncthreads();
    }
    out[t] = s[now][t];
}
