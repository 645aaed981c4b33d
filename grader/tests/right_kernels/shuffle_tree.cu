// launch: grid=1 block=128 shared=0
// arg: float[128]:iota
// arg: float[1]:out
// result: 1[0] = 8128
// Row D8 of the ladder: shuffles, with one shared word per warp.
__global__ void kernel(const float *in, float *out) {
    __shared__ float sums[32];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    float v = in[t];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
        if (lane == 0) out[0] = v;
    }
}
