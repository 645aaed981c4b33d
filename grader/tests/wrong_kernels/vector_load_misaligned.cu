// launch: block=8
// arg: float[64]:random+4
// arg: float[8]:out
// expect: misaligned line 7
// A float4 is loaded from an address that is not a multiple of 16.
__global__ void kernel(const float *in, float *out) {
    float4 v = reinterpret_cast<const float4 *>(in)[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
