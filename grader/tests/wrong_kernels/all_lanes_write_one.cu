// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[1]:out
// expect: race-warp line 7
// All lanes store different values in the same location.
__global__ void kernel(const float *in, float *out) {
    out[0] = in[threadIdx.x];
}
