// launch: block=32
// arg: u32[32]:iota
// arg: u8[128]:out
// result: 1[0] = 31
// The same memory is accessed as words and, after a barrier, as bytes.
__global__ void kernel(const unsigned *in, unsigned char *out) {
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = in[t] * 0x01010101u;
    __syncthreads();
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(s);
    for (unsigned k = 0; k < 4; k++) out[32 * k + t] = bytes[127 - 32 * k - t];
}
