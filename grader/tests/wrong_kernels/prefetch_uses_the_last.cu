// launch: grid=1 block=64
// arg: float[256]:ones
// arg: float[256]:out
// arg: u32 4
// expect: race-shared line 19 and 21
// expect: race-warp line 19 and 21
// Like prefetch_drops_the_last.cu, except that threads 31 and 40 add the values that they have loaded from their neighbors' elements.
__global__ void kernel(const float *in, float *out, unsigned each) {
    __shared__ float s[257];
    unsigned t = threadIdx.x;
    volatile float *v = s;
    for (unsigned k = 0; k < each; k++) v[t * each + k] = in[t * each + k];
    if (t == 0) v[64 * each] = 0;
    __syncthreads();
    float sum = 0, x = v[t * each];
#pragma unroll 1
    for (unsigned k = 0; k < each; k++) {
        // in the last iteration, this is the first element of thread t + 1
        float next = v[t * each + k + 1];
        sum += x;
        v[t * each + k] = sum * 2;
        x = next;
    }
    __syncthreads();
    if (t == 31 || t == 40) v[t * each + 3] += x;
    __syncthreads();
    for (unsigned k = 0; k < each; k++) out[t * each + k] = v[t * each + k];
}
