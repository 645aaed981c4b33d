// launch: grid=1 block=64
// arg: float[64]:random
// arg: float[64]:out
// expect: barrier-divergence line 13
// A loop contains a barrier, and its number of iterations depends on the lane.
__global__ void kernel(const float *in, float *out) {
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    float x = 0;
    for (unsigned k = 0; k < t % 4; k++) {
        x += s[t];
        __syncthreads();
    }
    out[t] = x;
}
