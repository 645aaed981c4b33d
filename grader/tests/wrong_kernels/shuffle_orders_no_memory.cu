// launch: grid=1 block=32 shared=128
// arg: float[32]:random
// arg: float[32]:out
// expect: race-warp line 11 and 9
// A shuffle passes registers, but does not order the lanes' accesses to memory.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    float v = __shfl_xor_sync(0xffffffff, in[t], 1);
    out[t] = v + s[t ^ 1];
}
