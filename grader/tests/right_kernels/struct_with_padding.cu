// launch: block=64
// arg: double[64]:iota
// arg: double[1]:out
// arg: i32[1]:out
// result: 1[0] = 63
// result: 2[0] = 63
// A pair of 16 bytes, of which 12 are used, is copied as a whole.
struct __align__(16) pair { double value; int index; };
__device__ pair better(pair a, pair b) { return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a; }
__global__ void kernel(const double *in, double *value, int *index) {
    __shared__ pair s[64];
    unsigned t = threadIdx.x;
    pair mine;
    mine.value = in[t];
    mine.index = t;
    s[t] = mine;
    for (unsigned k = 32; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) s[t] = better(s[t], s[t + k]);
    }
    if (t == 0) value[0] = s[0].value, index[0] = s[0].index;
}
