// launch: block=32
// arg: float[64]:const
// arg: float[1]:out
// expect: read-only line 8
// The contract requires that the input stays unchanged.
__global__ void kernel(float *in, float *out) {
    unsigned t = threadIdx.x;
    in[t] += in[t + 32];
    if (t == 0) out[0] = in[0];
}
