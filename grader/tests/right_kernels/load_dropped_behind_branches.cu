// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[1]:out
// arg: u32[1]:zero
// result: 1[0] = 64
// result: 2[0] = 48
// There are other branches and a loop between the loads and the branch that decides whether they are used.
__global__ void kernel(const float *in, float *out, unsigned *count) {
    __shared__ float s[64];
    unsigned t = threadIdx.x, turns = 0;
    volatile float *v = s;
    v[t] = in[t];
    for (unsigned stride = 32; stride; stride /= 2) {
        __syncthreads();
        float mine = v[t], other = v[(t + stride) % 64];
        if (t % 9 == 0)
            atomicAdd(count, 1);
        else
            for (unsigned k = t; k > 2; k /= 3) turns += k;
        if (t < stride) v[t] = mine + other;
    }
    if (turns > 1000000) out[0] = 0;
    __syncthreads();
    if (t == 0) out[0] = v[0];
}
