// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: out-of-bounds line 8
// Thread 0 reads the element before the first.
__global__ void kernel(const float *in, float *out) {
    int t = threadIdx.x;
    out[t] = in[t] - in[t - 1];
}
