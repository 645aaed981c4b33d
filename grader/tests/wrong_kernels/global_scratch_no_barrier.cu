// launch: block=64
// arg: float[64]:random
// arg: float[64]:out
// arg: float[64]:out
// expect: race-global line 10 and 9
// Threads of the same block exchange values through a global buffer without a barrier.
__global__ void kernel(const float *in, float *scratch, float *out) {
    unsigned t = threadIdx.x;
    scratch[t] = 2 * in[t];
    out[t] = scratch[t ^ 32];
}
