// launch: block=64
// arg: u8[64]:iota
// arg: u8[64]:out
// result: 1[0] = 63
// Neighboring bytes belong to different threads.
__global__ void kernel(const unsigned char *in, unsigned char *out) {
    __shared__ unsigned char s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[63 - t];
}
