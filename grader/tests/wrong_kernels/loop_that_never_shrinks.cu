// launch: grid=1 block=1 budget=100000
// arg: float[64]:random
// arg: float[1]:zero
// arg: u32 1
// expect: runaway line 8
// An unsigned counter is never less than zero, so the loop over strides does not end.
__global__ void kernel(const float *in, volatile float *out, unsigned step) {
    for (unsigned k = 32; k >= 0; k -= step) *out += in[k % 64];
}
