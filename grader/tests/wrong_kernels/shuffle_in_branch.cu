// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[1]:out
// expect: shuffle-inactive-lane line 10
// A shuffle inside the branch reads lanes outside it.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    float v = in[t];
    if (t < 16) {
        v += __shfl_down_sync(0x0000ffff, v, 16);
        if (t == 0) out[0] = v;
    }
}
