// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: sync-mask line 8
// Lanes call __syncwarp with a mask that does not name them.
__global__ void kernel(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
    __syncwarp(0x00ff);
}
