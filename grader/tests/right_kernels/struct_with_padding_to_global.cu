// launch: block=64
// arg: float[64]:iota
// arg: double[4]:out
// result: 1[0] = 63
// result: 1[2] = 0
// Pairs with padding are copied as a whole, within shared memory and to global memory.
struct __align__(16) pair { double value; int index; };
__global__ void kernel(const float *in, pair *out) {
    __shared__ pair s[64];
    unsigned t = threadIdx.x;
    s[t].value = in[t];
    s[t].index = t;
    __syncthreads();
    pair mine = s[63 - t];
    if (mine.value < 32) mine = s[t];
    __syncthreads();
    s[t] = mine;
    __syncthreads();
    if (t == 0) out[0] = s[0];
    if (t == 1) {
        out[1] = s[0];
        out[1].value = 0;
    }
}
