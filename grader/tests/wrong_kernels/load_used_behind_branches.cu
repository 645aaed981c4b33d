// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[1]:out
// arg: u32[1]:zero
// expect: race-shared line 13 and 18
// One thread too many adds: it reads the element that thread 0 writes.
__global__ void kernel(const float *in, float *out, unsigned *count) {
    __shared__ float s[64];
    unsigned t = threadIdx.x, turns = 0;
    volatile float *v = s;
    v[t] = in[t];
    for (unsigned stride = 32; stride; stride /= 2) {
        __syncthreads(); float mine = v[t], other = v[(t + stride) % 64];
        if (t % 9 == 0)
            atomicAdd(count, 1);
        else
            for (unsigned k = t; k > 2; k /= 3) turns += k;
        if (t < stride || t + stride == 64) v[t] = mine + other;
    }
    if (turns > 1000000) out[0] = 0;
    __syncthreads();
    if (t == 0) out[0] = v[0];
}
