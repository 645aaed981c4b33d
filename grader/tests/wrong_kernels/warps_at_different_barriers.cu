// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: barrier-mismatch line 10 and 13
// Warp 0 waits in one branch, and warp 1 in the other.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    if (t < 32) {
        out[t] = in[t];
        __syncthreads();
    } else {
        out[t] = -in[t];
        __syncthreads();
    }
}
