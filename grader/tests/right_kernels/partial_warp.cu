// launch: grid=1 block=40 shared=0
// arg: float[40]:iota
// arg: float[40]:out
// result: 1[39] = 38
// The last warp has 8 lanes; __syncwarp and the barrier wait only for these.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[40];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    float v = s[t ^ 1];
    __syncthreads();
    out[t] = v + s[39 - t];
}
