// launch: block=64
// arg: float[64]:ones
// arg: float[64]:out
// expect: out-of-bounds line 13
// expect: out-of-bounds line 14
// The element past the end is the first of the next array, and the element before the start is the last of the other array.
__global__ void kernel(const float *in, float *out) {
    __shared__ float left[64], right[64];
    unsigned t = threadIdx.x;
    left[t] = in[t];
    right[t] = -in[t];
    __syncthreads();
    out[t] = left[t + 1] +
             right[(int)t - 1];
}
