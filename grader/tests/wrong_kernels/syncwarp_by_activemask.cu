// launch: grid=1 block=32 shared=128
// arg: float[32]:random
// arg: float[1]:out
// release: active-mask-set line 13
// A warp's tree in which each step waits only for the lanes that happen to run together.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    for (unsigned stride = 16; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncwarp(__activemask());
    }
    if (t == 0) out[0] = s[0];
}
