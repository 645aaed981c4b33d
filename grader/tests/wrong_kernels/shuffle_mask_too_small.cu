// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: sync-mask line 8
// All lanes shuffle, but the mask names only half of them.
__global__ void kernel(const float *in, float *out) {
    float v = in[threadIdx.x];
    v += __shfl_down_sync(0x0000ffff, v, 8);
    out[threadIdx.x] = v;
}
