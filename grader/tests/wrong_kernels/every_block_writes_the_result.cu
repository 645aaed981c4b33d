// launch: grid=4 block=32 shared=0
// arg: float[128]:random
// arg: float[1]:out
// expect: race-blocks line 7
// All blocks store their partial in out[0].
__global__ void kernel(const float *in, float *out) {
    if (threadIdx.x == 0) out[0] = in[blockIdx.x * 32];
}
