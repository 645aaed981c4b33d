// launch: block=32
// arg: float[32]:random
// arg: float[32]:out
// expect: trap line 8
// The kernel executes a trap.
__global__ void kernel(const float *in, float *out) {
    if (in[threadIdx.x] >= 0) {
        __trap();
    }
    out[threadIdx.x] = 0;
}
