// launch: block=64 shared=256
// arg: float[40]:const
// arg: float[1]:out
// arg: u32 40
// expect: uninitialized-shared line 13
// Threads past the end do not write their elements, but the tree reads them.
__global__ void kernel(const float *in, float *out, unsigned n) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    if (t < n) s[t] = in[t];
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) out[0] = s[0];
}
