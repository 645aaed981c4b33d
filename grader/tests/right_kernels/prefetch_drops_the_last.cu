// launch: grid=1 block=64
// arg: float[256]:ones
// arg: float[256]:out
// arg: u32 4
// result: 1[3] = 4
// Each thread adds up its four elements in turn, and loads the next element before it stores a sum. At the end, it
// loads its neighbor's first element, which the neighbor overwrites, but never uses the value.
__global__ void kernel(const float *in, float *out, unsigned each) {
    __shared__ float s[257];
    unsigned t = threadIdx.x;
    volatile float *v = s;
    for (unsigned k = 0; k < each; k++) v[t * each + k] = in[t * each + k];
    __syncthreads();
    float sum = 0, x = v[t * each];
#pragma unroll 1
    for (unsigned k = 0; k < each; k++) {
        float next = v[t * each + k + 1];
        sum += x;
        v[t * each + k] = sum;
        x = next;
    }
    __syncthreads();
    for (unsigned k = 0; k < each; k++) out[t * each + k] = v[t * each + k];
}
