// launch: block=32
// arg: float[32]:random
// arg: float[32]:out
// expect: race-warp line 8
// Two lanes write to the same location in one store instruction.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    out[t * 3 % 16] = in[t];
}
