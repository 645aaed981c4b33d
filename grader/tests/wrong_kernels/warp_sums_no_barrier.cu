// launch: grid=1 block=128 shared=0
// arg: float[128]:random
// arg: float[1]:out
// expect: race-shared line 12 and 11
// The first warp collects the sums of all warps before all have been written.
__global__ void kernel(const float *in, float *out) {
    __shared__ float sums[4];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    float v = in[t];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (lane == 0) sums[warp] = v;
    if (t == 0) out[0] = sums[0] + sums[1] + sums[2] + sums[3];
}
