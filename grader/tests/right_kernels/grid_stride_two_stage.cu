// launch: grid=3 block=64
// arg: double[1000]:iota
// arg: double[3]:out
// arg: u32 1000
// result: 1[0] = 172140
// Row C3 of the ladder: grid-stride accumulation of doubles, one partial per block.
__global__ void kernel(const double *in, double *partial, unsigned n) {
    __shared__ double s[64];
    unsigned t = threadIdx.x;
    double v = 0;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
    s[t] = v;
    __syncthreads();
    for (unsigned k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}
