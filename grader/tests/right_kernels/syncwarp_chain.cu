// launch: grid=1 block=32 shared=0
// arg: float[32]:iota
// arg: float[1]:out
// result: 1[0] = 36
// Lane 0 gets lane 31's value through a chain of __syncwarp() calls between pairs of lanes.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    if (t == 31 || t == 5) __syncwarp(1u << 31 | 1u << 5);
    if (t == 5 || t == 0) __syncwarp(1u << 5 | 1u);
    if (t == 0) out[0] = s[31] + s[5];
}
