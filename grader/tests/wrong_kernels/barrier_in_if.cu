// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: barrier-after-exit line 10
// Half of the warp waits at a barrier that the other half never reaches.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    out[t] = in[t];
    if (t < 16)
        __syncthreads();
}
