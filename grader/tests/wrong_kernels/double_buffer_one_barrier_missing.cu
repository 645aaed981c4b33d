// launch: grid=1 block=64 shared=0
// arg: float[64]:random
// arg: float[64]:out
// expect: race-shared line 12 and 11
// Two buffers alternate, but without a barrier, a fast warp overwrites data that a slow warp still reads.
__global__ void kernel(const float *in, float *out) {
    __shared__ float a[64], b[64];
    unsigned t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    b[t] = a[t ^ 32] + 1;
    a[t] = b[t ^ 32] + 1;
    __syncthreads();
    out[t] = a[t ^ 32];
}
