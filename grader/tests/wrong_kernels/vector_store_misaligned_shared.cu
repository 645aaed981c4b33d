// launch: grid=1 block=32 shared=264
// arg: float[64]:random
// arg: float[64]:out
// expect: misaligned line 9
// Pairs of floats that begin at an odd float.
__global__ void kernel(const float2 *in, float2 *out) {
    extern __shared__ float s[];
    float2 *pairs = (float2 *)(s + 1);
    pairs[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = pairs[threadIdx.x];
}
