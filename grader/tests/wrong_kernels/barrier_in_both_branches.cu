// launch: grid=1 block=32 shared=0
// arg: float[32]:random
// arg: float[32]:out
// expect: barrier-divergence line 10 and 13
// Two barriers, one in each branch: lanes of the same warp wait at different barriers.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    if (t < 16) {
        out[t] = in[t];
        __syncthreads();
    } else {
        out[t] = -in[t];
        __syncthreads();
    }
}
