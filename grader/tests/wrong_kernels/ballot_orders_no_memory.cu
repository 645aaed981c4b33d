// launch: grid=1 block=32 shared=128
// arg: float[32]:random
// arg: float[32]:out
// expect: race-warp line 11 and 9
// A vote does not order memory accesses.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    unsigned m = __ballot_sync(0xffffffff, in[t] > 4);
    out[t] = m + s[31 - t];
}
