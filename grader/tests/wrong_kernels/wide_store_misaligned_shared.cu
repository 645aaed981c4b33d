// launch: grid=1 block=32 shared=264
// arg: u64[32]:random
// arg: u64[32]:out
// expect: misaligned line 10
// debug: misaligned line 11
// An array of 8-byte values follows a 4-byte counter, so it is not aligned to 8 bytes.
__global__ void kernel(const unsigned long long *in, unsigned long long *out) {
    extern __shared__ int count[];
    unsigned long long *s = (unsigned long long *)(count + 1);
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[threadIdx.x];
}
