// launch: grid=1 block=32
// arg: float[32]:random
// arg: float[32]:out
// expect: race-warp line 12
// A scan in which lanes read values that their neighbors write in the same line, with __syncwarp() only at the end.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[32];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    for (unsigned d = 1; d < 32; d *= 2) {
        if (t >= d) s[t] += s[t - d];
        __syncwarp();
    }
    out[t] = s[t];
}
