// launch: grid=1 block=64 shared=0
// arg: float[64]:iota
// arg: float[64]:out
// result: 1[0] = 95
// __syncthreads_count(): a barrier that also counts the threads with a nonzero argument.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    int odd = __syncthreads_count(t & 1);
    out[t] = odd + s[63 - t];
}
