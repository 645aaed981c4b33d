// launch: grid=2 block=32
// arg: float[256]:iota
// arg: float[64]:out
// result: 1[0] = 502
// Each lane loads 16 bytes at a time.
__global__ void kernel(const float4 *in, float *out) {
    __shared__ float4 s[32];
    unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = in[i];
    __syncthreads();
    float4 v = s[31 - t];
    out[i] = v.x + v.y + v.z + v.w;
}
