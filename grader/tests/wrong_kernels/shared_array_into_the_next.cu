// launch: block=64
// arg: float[64]:ones
// arg: float[64]:out
// expect: out-of-bounds line 13
// expect: out-of-bounds line 14
// One index is past the end of its array, and the other is before the start: each accesses the other array.
__global__ void kernel(const float *in, float *out) {
    __shared__ float left[64], right[64];
    unsigned t = threadIdx.x;
    left[t] = in[t];
    right[t] = -in[t];
    __syncthreads();
    out[t] = left[t + 1] +
             right[(int)t - 1];
}
